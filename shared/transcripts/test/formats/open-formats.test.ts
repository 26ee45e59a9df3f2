import { type OpenNote, toNotePath, writeMemoryLine, writeNote, writeNoteIndex } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readAll } from '../support/reading.ts';
import { pieceSizes } from '../support/said.ts';

/** Whatever a reader may take for something else: rules, headings, dates, names, entries, fences, properties. */
const lines = fc.oneof(
  fc.constantFrom(
    ...['---', '...', '# 2024-03-05', '## Tea', '```', '', '  ', 'user: hello', 'Ann: hello', '[2024-03-05] - tea'],
    ...[
      'type: note',
      '- [method] hot #tea',
      '* [a](b.md)',
      '- requires [[Kettle]]',
      '我住在利斯。',
      '“引用”',
      '**Bold**',
    ],
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replace(/[\r\n]/gu, ' ')),
);
const text = fc
  .array(lines, { minLength: 1, maxLength: 8 })
  .map((all) => all.join('\n').trim())
  .filter((one) => one !== '');
const note: fc.Arbitrary<OpenNote> = fc.record({
  id: fc.constantFrom('fact:city', 'note:"1"', 'event:3'),
  type: fc.constantFrom('fact', 'note', 'event', 'agent'),
  text,
  time: fc.option(fc.constantFrom('2024-03-05T09:00:00.000Z', '2023-12-31T23:59:59.000Z'), { nil: undefined }),
  saidBy: fc.option(fc.constantFrom('user' as const, 'assistant' as const, 'document' as const), { nil: undefined }),
});
const toTurns = (read: ReturnType<typeof readAll>) =>
  read.conversations.flatMap(({ sessions }) => sessions.flatMap(({ turns }) => turns));

describe('a memory that is written as a file of the Open Knowledge Format', () => {
  it('is read as one turn with the same words and time, whatever they look like, and by whom it was said', () => {
    const property = fc.property(note, pieceSizes, (one, pieces) => {
      const read = readAll(writeNote(one), { file: toNotePath(one, 1), pieces });
      expect([read.format, read.faults]).toEqual(['okf', []]);
      // Its properties are told of once, however many there are.
      expect(read.leftOut).toEqual({ 'properties of a note': 1 });
      const turns = toTurns(read);
      expect(turns.map((turn) => turn.text)).toEqual([one.text]);
      expect(turns[0]?.at?.slice(0, 10)).toBe(one.time?.slice(0, 10));
      const isPersons = one.saidBy === undefined || one.saidBy === 'user';
      expect(turns[0]?.voice === 'assistant').toBe(!isPersons);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('is listed by the index of its bundle, which is left out with its words', () => {
    const one: OpenNote = { id: 'fact:city', type: 'fact', text: 'city: [Leith]' };
    const index = writeNoteIndex([{ path: toNotePath(one, 1), note: one }]);
    expect(index).toContain('* [city: \\[Leith\\]](fact/00001-city-leith.md)');
    const read = readAll(index, { file: 'bundle/index.md' });
    expect([read.format, read.conversations]).toEqual(['okf', []]);
    expect(read.leftOutWords.join('\n')).toContain('Leith');
  });
});

describe('a file of the Open Knowledge Format of others', () => {
  it('is read with what its description alone says, and a diary or a chat with a type stays one', () => {
    const only = readAll('---\ntype: Metric\ntitle: DAU\ndescription: Users of a day.\n---\n', {
      file: 'metrics/dau.md',
    });
    expect(toTurns(only).map((turn) => turn.text)).toEqual(['Users of a day.']);
    const diary = readAll('---\ntype: diary\n---\n## 2024-03-05\nTea.\n', { file: 'diary.md' });
    expect(diary.format).toBe('notes');
    const graph = readAll('---\ntype: note\npermalink: tea\n---\n- [method] hot\n', { file: 'tea.md' });
    expect(graph.format).toBe('notes');
  });
});

describe('memories that are written as lines', () => {
  it('are read with the same words and days, as those of somebody else', () => {
    const property = fc.property(fc.array(note, { minLength: 1, maxLength: 5 }), pieceSizes, (all, pieces) => {
      const read = readAll(all.map(writeMemoryLine).join(''), { file: 'memories.txt', pieces });
      expect([read.format, read.faults, read.leftOut]).toEqual(['memory-lines', [], {}]);
      const turns = toTurns(read);
      expect(turns.map((turn) => [turn.text, turn.at?.slice(0, 10)])).toEqual(
        all.map((one) => [one.text, one.time?.slice(0, 10)]),
      );
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('are read as ChatGPT and Claude list them, and headings and fences are told', () => {
    const listed =
      '```\n## Instructions\n[2026-01-02] - Always answer in English.\n\n- [date unknown] – 喜欢喝茶\nA line of its own.\n```\n';
    const read = readAll(listed, { file: 'memory.md' });
    expect(read.format).toBe('memory-lines');
    expect(toTurns(read).map((turn) => turn.text)).toEqual([
      'Always answer in English.',
      '喜欢喝茶',
      'A line of its own.',
    ]);
    expect(read.leftOut).toEqual({ 'heading without words': 3 });
  });
});
