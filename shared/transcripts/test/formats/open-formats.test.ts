import {
  createNameFinder,
  type OpenNote,
  placeNotes,
  readLink,
  toNoteName,
  toNotePath,
  toOpenNote,
  writeMemoryLine,
  writeNote,
  writeNoteIndex,
} from '@contextloom/contracts';
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

/** Names with all that links, files and systems have other uses for. */
const names = fc
  .oneof(
    fc.constantFrom(
      'Ann',
      'ann',
      'Ann (2)',
      'C#',
      'A/B',
      '小安',
      '[x]]',
      'a|b',
      '^',
      'a%23b',
      'index',
      'Con',
      '00001-x',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
    fc.stringMatching(/^[[\]|#^/\\:*?"<>%.\r\n\u2028 ab]{1,12}$/u),
  )
  .map(toNoteName)
  .filter((name) => name !== '');
const toThing = (name: string, at: number): OpenNote => ({
  ...{ id: `entity:${at}`, type: 'entity', text: `${name} (person)`, name },
});

describe('people and things in a bundle of notes', () => {
  it('have a note of their own each, which links lead to, and are read again by their plain names', () => {
    const property = fc.property(fc.array(names, { minLength: 1, maxLength: 8 }), text, (all, words) => {
      const about: OpenNote = {
        id: 'event:1',
        type: 'event',
        text: words,
        about: all.map((_name, at) => `entity:${at}`),
      };
      const placed = placeNotes([about, ...all.map(toThing)]);
      const files = placed.map(({ path }) => path.toLowerCase().normalize('NFKC'));
      expect(new Set(files).size).toBe(placed.length);
      const [event, ...things] = placed;
      expect(event?.links.map((link) => readLink(link))).toEqual(all);
      for (const [at, link] of (event?.links ?? []).entries()) {
        const [, target] = /^\[\[([^[\]|#^/\r\n]+)(?:\|[^[\]|#^\r\n]+)?\]\]$/u.exec(link) ?? [];
        expect(`entity/${target}.md`).toBe(things[at]?.path);
        expect(Buffer.byteLength(target ?? '')).toBeLessThan(252);
      }
      for (const { note: one, path, links } of placed) {
        const read = readAll(writeNote(one, links), { file: path });
        expect([read.format, read.faults, read.leftOut]).toEqual(['okf', [], { 'properties of a note': 1 }]);
        const unnamed = one === about ? all.filter((name) => !words.includes(name)) : [];
        const said = toTurns(read).map((turn) => turn.text);
        if (one === about) expect(said).toEqual([unnamed.length === 0 ? words : `${words} (${unnamed.join(', ')})`]);
        else expect(said[0]?.startsWith(one.text)).toBe(true);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('are linked where a memory names them as words of their own, the longest name first', () => {
    const find = createNameFinder(['Ann', 'Ann Lee', 'Ole', '小安', 'A']);
    expect(find('Ann Lee met Ole.')).toEqual(['Ann Lee', 'Ole']);
    expect(find('Annie and Oles; A')).toEqual([]);
    expect(find('昨天小安来了，和Ole一起。')).toEqual(['小安', 'Ole']);
    const notes = [
      toOpenNote({ id: 'entity:7', text: 'Ole (brother)', details: { name: ' Ole\n' } }),
      toOpenNote({ id: 'event:1', text: 'Dinner', details: { related_entity_ids: [7, 8] } }),
      toOpenNote({ id: 'note:a', text: 'Ole likes tea', details: { metadata: { trust: 'assistant' } } }),
    ];
    const placed = placeNotes(notes);
    expect(placed.map(({ path, links }) => [path, links])).toEqual([
      ['entity/Ole.md', []],
      ['event/00002-dinner.md', ['[[Ole]]']],
      ['note/00003-ole-likes-tea.md', ['[[Ole]]']],
    ]);
    expect(writeNote(notes[2] as OpenNote, placed[2]?.links)).toContain('\nauthor: "assistant"\nabout: ["[[Ole]]"]\n');
  });

  it('are found in time that grows with the text and not with the names', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `Person ${at} of ${at % 37}`);
    const find = createNameFinder(many);
    expect(find(`${'Person 7 of '.repeat(20_000)}Person 19999 of 19`)).toEqual(['Person 19999 of 19']);
  });
});

describe('saved memories of ChatGPT', () => {
  it('are read in both forms, those that are turned off named, and are told from those of others', () => {
    const exported = [
      { content: 'Likes tea.', enabled: true, created_at: '2024-03-05T09:00:00Z' },
      { content: 'Lives in Leith.', enabled: false, created_at: '2024-03-05T09:00:00Z' },
    ];
    const listed = readAll(JSON.stringify(exported), { file: 'memory.json' });
    expect([listed.format, listed.leftOut]).toEqual(['chatgpt-memory', { 'memory that is turned off': 1 }]);
    const memory = { id: '1', content: 'Likes tea.', updated_at: '2024-03-05T09:00:00Z', gizmo_id: null };
    const answer = { memories: [memory], memory_max_tokens: 5_000, memory_num_tokens: 12 };
    const told = readAll(JSON.stringify(answer), { file: 'memories.json' });
    expect([told.format, told.leftOut]).toEqual(['chatgpt-memory', {}]);
    for (const read of [listed, told])
      expect(toTurns(read)).toMatchObject([{ text: 'Likes tea.', at: '2024-03-05T09:00:00.000Z' }]);
    const others = { memories: [{ id: '1', content: 'Likes tea.', created_at: '2024-03-05T09:00:00Z' }] };
    expect(readAll(JSON.stringify(others), { file: 'memories.json' }).format).toBe('mem0');
    const messages = [{ role: 'user', content: 'Likes tea.', enabled: true }];
    expect(readAll(JSON.stringify(messages), { file: 'chat.json' }).format).not.toBe('chatgpt-memory');
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
