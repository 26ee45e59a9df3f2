import { describe, expect, it } from '@jest/globals';
import { renderMemories, toDay } from '../../src/output/memory-table.ts';
import { createStyle, hasColors } from '../../src/output/style.ts';
import { renderTable } from '../../src/output/table.ts';
import { displayWidth } from '../../src/output/text-width.ts';

const look = { style: createStyle(false), width: 100 };

const memory = {
  content: '知夏：今天又加班到九点，地铁上靠着门就睡着了。Uozumi：辛苦了。先坐，锅里还有热汤。🐕 e\u0301 “好” – …',
  importance: 7.25,
  memory_type: 'episode',
  occurred_at: '2025-01-06T13:20:00Z',
  source: 'migrant-bird-bookshop.zh.json, turns 1 to 6',
};

describe('a table', () => {
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

  it('contains no colour codes without colours', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with the escape character
    expect(renderMemories([memory], look, 3)).not.toMatch(/\u001b/);
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
  it('shows as its day, or as a dash when there is none', () => {
    expect(toDay('2025-01-06T13:20:00Z')).toBe('2025-01-06');
    expect([toDay(undefined), toDay(null), toDay('')]).toEqual(['–', '–', '–']);
  });
});
