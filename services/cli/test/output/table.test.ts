import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { outputWidth } from '../../src/output/print.ts';
import { renderMemories, toDay } from '../../src/output/tables/memory-table.ts';
import { renderTable } from '../../src/output/tables/table.ts';
import { createStyle, hasColors } from '../../src/output/text/style.ts';
import { displayWidth } from '../../src/output/text/text-width.ts';

const look = { style: createStyle(false), width: 100 };

const memory = {
  content: '知夏：今天又加班到九点，地铁上靠着门就睡着了。Uozumi：辛苦了。先坐，锅里还有热汤。🐕 e\u0301 “好” – …',
  importance: 7.25,
  memory_type: 'episode',
  occurred_at: '2025-01-06T13:20:00Z',
  source: 'migrant-bird-bookshop.zh.json, turns 1 to 6',
};

describe('a table', () => {
  it.each([
    [undefined, '2025-01-06'],
    ['2025-01', '2025-01'],
  ])('dates a memory that happened in %s %s', (occurred_on, date) => {
    const shown = renderMemories([{ ...memory, content: 'Tess: Evening.', occurred_on }], look, 3);
    expect(/\b2025-01(?:-\d\d)?/u.exec(shown)?.[0]).toBe(date);
  });

  it('has lines of one width whatever scripts its cells are in, none wider than asked', () => {
    const plain = { ...memory, content: 'Tess: Evening. '.repeat(30) };
    const lines = renderMemories([memory, plain, { ...memory, source: undefined }], look, 3).split('\n');
    expect(new Set(lines.map(displayWidth)).size).toBe(1);
    expect(displayWidth(lines[0] ?? '')).toBeLessThanOrEqual(100);
  });

  it('cuts a long memory after the given lines', () => {
    const lines = renderMemories([{ ...memory, source: 'chat', content: 'word '.repeat(200) }], look, 2).split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[4]).toContain('…');
  });

  it('aligns numbers to the right', () => {
    const table = renderTable([{ title: 'tools', align: 'right' }], [['7'], ['12']], look);
    expect(table.split('\n').slice(3, 5)).toEqual(['│     7 │', '│    12 │']);
  });

  it('shows line breaks and control characters of a memory without obeying them', () => {
    const table = renderMemories([{ ...memory, content: 'a\r\nb\u001b[2Jc' }], look, 3);
    expect(table).toContain('a b\uFFFD[2Jc');
  });

  it('leaves out the date that an episode begins with, since it has its own column', () => {
    expect(renderMemories([{ ...memory, content: '[2025-01-06]\n知夏: 好' }], look, 3)).not.toContain('[2025');
  });

  // The time a word takes to draw must not grow with its square: then these end in a moment, else not in a minute.
  it.each([
    ['a word', 'x'],
    ['Chinese', '好'],
    ['letters with marks', 'e\u0301'],
    ['marks on one letter', '\u0301'],
    ['emoji', '👩\u200d🍳'],
  ])('draws 100,000 characters of %s in the lines that it is given', (_, text) => {
    const content = text.repeat(100_000 / text.length);
    const lines = renderMemories([{ ...memory, content, source: content }], look, 4).split('\n');
    expect(lines.length).toBeLessThanOrEqual(3 + 4 + 1);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(100);
  });

  it('is never wider than asked, down to the narrowest terminal', () => {
    const texts = fc.constantFrom('word', '豆腐，', '🐕', ' ', 'नमस्ते', 'an-address-without-a-space/'.repeat(3));
    const text = fc.array(texts, { maxLength: 40 }).map((parts) => parts.join(''));
    const row = fc.record({
      content: text,
      source: fc.option(text, { nil: undefined }),
      importance: fc.constantFrom(null, 10),
      memory_type: fc.constantFrom(null, 'relationship'),
      occurred_at: fc.constantFrom(undefined, '2025-01-06T13:20:00Z'),
    });
    const rows = fc.array(row, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 2, max: 100 }), (memories, width) => {
        const lines = renderMemories(memories, { ...look, width }, 3).split('\n');
        expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps its columns on a terminal of 80', () => {
    const wide = { ...memory, memory_type: 'relationship', source: 'migrant-bird-bookshop 67-72' };
    const [top, head] = renderMemories([wide], { ...look, width: 80 }, 3).split('\n');
    expect(displayWidth(top ?? '')).toBe(80);
    expect(head).toMatch(/rating │ date +│ type +│ source +│ memory/);
  });

  it('names each cell instead where the columns do not fit', () => {
    const row = { ...memory, content: 'Tess: hello there', source: 'chat 1-6' };
    expect(renderMemories([row, row], { ...look, width: 30 }, 3).split('\n')).toEqual([
      'rating: 7.3',
      'date: 2025-01-06',
      'type: episode',
      'source: chat 1-6',
      'memory: Tess: hello there',
      '',
      'rating: 7.3',
      'date: 2025-01-06',
      'type: episode',
      'source: chat 1-6',
      'memory: Tess: hello there',
    ]);
  });

  it('contains no colour codes without colours', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with the escape character
    expect(renderMemories([memory], look, 3)).not.toMatch(/\u001b/);
  });
});

describe('the width of the output', () => {
  it.each([
    [80, 80],
    [40, 40],
    [300, 120],
    [0, 100],
    [undefined, 100],
  ])('of a terminal of %p columns is %p', (columns, width) => {
    expect(outputWidth({ write: () => true, ...(columns !== undefined && { columns }) })).toBe(width);
  });
});

describe('colours', () => {
  it('are used on a terminal only', () => {
    expect(hasColors({ write: () => true, isTTY: true }, {})).toBe(true);
    expect(hasColors({ write: () => true }, {})).toBe(false);
  });

  it('are off with NO_COLOR or a dumb terminal', () => {
    const terminal = { write: () => true, isTTY: true };
    expect(hasColors(terminal, { NO_COLOR: '1' })).toBe(false);
    expect(hasColors(terminal, { NO_COLOR: '' })).toBe(true);
    expect(hasColors(terminal, { TERM: 'dumb' })).toBe(false);
  });

  it('leave text alone when off', () => {
    const style = createStyle(false);
    expect([style.strong, style.faint, style.good, style.bad, style.accent].map((format) => format('x')).join('')).toBe(
      'xxxxx',
    );
    expect(createStyle(true).strong('x')).toBe('\u001b[1mx\u001b[22m');
  });
});

describe('a date', () => {
  it('shows as its day, or as "undated" when there is none', () => {
    expect(toDay('2025-01-06T13:20:00Z')).toBe('2025-01-06');
    expect([toDay(undefined), toDay('')]).toEqual(['undated', 'undated']);
  });
});
