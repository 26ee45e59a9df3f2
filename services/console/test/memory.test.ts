import { findSuperlinear } from '@contextloom/testing/growth';
import { describe, expect, it } from '@jest/globals';
import { toFirstUser } from '../src/calls/first-user.ts';
import { toStoredConversation } from '../src/memories/details/stored-conversation.ts';
import { markWords, toPassage } from '../src/memories/mark-words.ts';
import { splitId, toDay, toRows } from '../src/memories/memory.ts';
import { layOut } from '../src/things/lay-out.ts';

const toMatches = (text: string, query: string): readonly string[] =>
  markWords(text, query)
    .filter(({ isMatch }) => isMatch)
    .map(({ text: word }) => word);

describe('the words of a question', () => {
  it('are marked in a text, which stays whole', () => {
    const text = 'I live in Leith. Living <b>near</b> the sea.';
    expect(toMatches(text, 'Where do I live, near the sea?')).toEqual(['live', 'near', 'sea']);
    // Nothing else could be marked.
    expect(toMatches(text, 'the')).toEqual(['the']);
    expect(
      markWords(text, 'sea')
        .map((one) => one.text)
        .join(''),
    ).toBe(text);
  });

  it('are marked where capital letters are longer or shorter than small ones', () => {
    expect(toMatches('İİİ Leith', 'leith')).toEqual(['Leith']);
  });

  it('are marked in Chinese', () => {
    expect(toMatches('我对芒果过敏。', '芒果')).toEqual(['芒', '果']);
    expect(toMatches('我对芒果过敏。', '果 x')).toEqual(['果']);
  });

  it('are not the particles of Chinese', () => {
    expect(toMatches('我们的猫是在上海的。', '我们的猫在哪里')).toEqual(['的', '猫']);
  });

  it('are in the passage that is shown', () => {
    const filler = 'Nothing of note was said about the weather. '.repeat(40);
    const text = `${filler}The walnut cake is kept in the blue tin.${filler}`;
    const passage = toPassage(text, 'Where is the walnut cake?', 240);
    expect(passage).toMatch(/^…/u);
    expect(passage).toContain('walnut cake is kept in the blue tin');
    expect(passage.length).toBeLessThanOrEqual(241);
    expect(toPassage(text, 'xylophone', 240)).toBe(text.slice(0, 240));
    expect(toPassage('short', 'short', 240)).toBe('short');
    const chinese = '今天天气很好，大家都出去了。'.repeat(40);
    expect(toPassage(`${chinese}核桃蛋糕放在蓝色的盒子里。${chinese}`, '核桃蛋糕在哪里', 240)).toContain(
      '核桃蛋糕放在',
    );
  });

  it('are found in time that grows with the text', () => {
    const units = ['word sea ', '芒果', 'a', ' ', 'é'];
    expect(findSuperlinear((text) => markWords(text, text), { units })).toEqual([]);
    expect(findSuperlinear((text) => toPassage(text, text, 240), { units })).toEqual([]);
  });
});

describe('a list of memories', () => {
  it('stands below its days', () => {
    const rows = toRows(
      [
        { id: 'fact:city', text: 'city: Leith', store: 's', time: '2026-05-01T12:00:00.000Z' },
        { id: 'event:2', text: 'flew', store: 's', time: '2026-05-01T11:00:00.000Z' },
        { id: 'note:1', text: 'one', store: 's' },
      ],
      'en',
    );
    expect(rows.map((row) => (row.kind === 'day' ? [row.day] : row.memory.id))).toEqual([
      ['May 1, 2026'],
      'fact:city',
      'event:2',
      [undefined],
      'note:1',
    ]);
  });

  it('shows a time that is no date as it is', () => {
    expect(toDay('the day before', 'en')).toBe('the day before');
    expect(toDay('+275760-09-14', 'en')).toBe('+275760-09-14');
    expect(toDay(undefined, 'en')).toBeUndefined();
  });

  it('has ids whose own part may have colons', () => {
    expect(splitId('event:a:b')).toEqual({ kind: 'event', own: 'a:b' });
  });
});

describe('the conversation of a memory', () => {
  const part = (id: string, turns: string, content: string, memory_type = 'episode') => ({
    id,
    content,
    metadata: { turns, memory_type },
  });
  const drawn = [
    part('later', '10-11', 'Ann: ten\nBo: eleven'),
    part('first', '1-3', 'Ann: one\nBo: two\nAnn: three'),
    part('fact', '2', 'Bo has two', 'knowledge'),
    part('other', '10', 'Ann has ten', 'knowledge'),
    part('odd', 'x', 'a text of no turn'),
  ];

  it('is in the order of its turns, and says which are meant', () => {
    const { windows, facts } = toStoredConversation(drawn, '2-3');
    expect(windows.map(({ id }) => id)).toEqual(['odd', 'first', 'later']);
    const here = windows.flatMap(({ lines }) => lines).filter(({ isHere }) => isHere);
    expect(here.map(({ turn, text }) => [turn, text])).toEqual([
      [2, 'Bo: two'],
      [3, 'Ann: three'],
    ]);
    expect(facts.map(({ id }) => id)).toEqual(['fact']);
  });

  it('has the numbers of its turns below the line that says their day', () => {
    const { windows } = toStoredConversation([part('dated', '5-6', '[2026-06-18]\nTess: five\nMarlow: six')], '6');
    expect(windows[0]?.lines).toMatchObject([
      { turn: undefined, text: '[2026-06-18]', isHere: false },
      { turn: 5, text: 'Tess: five', isHere: false },
      { turn: 6, text: 'Marlow: six', isHere: true },
    ]);
  });

  it('is what was said, with what a person wrote in its place next to it', () => {
    const edited = part('edited', '5-6', 'Tess: I live in Bergen.');
    const metadata = { ...edited.metadata, retracted_content: 'Tess: I live in Oslo.\nMarlow: I see.' };
    const { windows } = toStoredConversation([{ ...edited, metadata }], '5');
    expect(windows[0]?.lines.map(({ turn, text }) => [turn, text])).toEqual([
      [5, 'Tess: I live in Oslo.'],
      [6, 'Marlow: I see.'],
    ]);
    expect(windows[0]?.correction).toBe('Tess: I live in Bergen.');
    expect(toStoredConversation(drawn, '2').windows.map(({ correction }) => correction)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('tells a turn of several lines as one', () => {
    const [window] = toStoredConversation(
      [part('long', '1-2', '[2024-05-01]\nAnn: one\n  Milk: two\nBo: three')],
      '2',
    ).windows;
    expect(window?.lines.map(({ text, isHere }) => [text, isHere])).toEqual([
      ['[2024-05-01]', false],
      ['Ann: one\nMilk: two', false],
      ['Bo: three', true],
    ]);
  });

  it('marks all of a text that has not as many turns as it says, and nothing for turns that are none', () => {
    const long = [part('long', '1-3', 'Ann: one\nand more\nBo: two')];
    expect(toStoredConversation(long, '2').windows[0]?.lines.map(({ isHere }) => isHere)).toEqual([true, true]);
    for (const turns of [undefined, '', '0', '3-1', {}]) {
      expect(toStoredConversation(drawn, turns).windows.some(({ lines }) => lines.some(({ isHere }) => isHere))).toBe(
        false,
      );
    }
  });
});

describe('the user whom the page opens on', () => {
  const of = (user_id: string, count: number, last_call_at?: string) => ({
    user_id,
    stores: [{ server: 's', counts: [{ what: 'documents', count }] }],
    ...(last_call_at !== undefined && { last_call_at }),
  });

  it('has memories: the one of a server for one user, the one asked about last, or the one with most', () => {
    const day = (date: number) => `2026-03-0${date}T10:00:00Z`;
    expect(toFirstUser({ users: [] })).toBe('default');
    expect(toFirstUser({ users: [of('ann', 9), of('default', 1)] })).toBe('default');
    expect(toFirstUser({ users: [of('ann', 3), of('bo', 9), of('default', 0)] })).toBe('bo');
    expect(toFirstUser({ users: [of('ann', 9), of('bo', 1, day(1)), of('cy', 2, day(2)), of('di', 3)] })).toBe('cy');
  });
});

describe('the picture of people and things', () => {
  const entity = (id: number) => ({
    id,
    entity_type: 'person' as const,
    name: String(id),
    aliases: [],
    attributes: {},
    status: 'active' as const,
    updated_at: '',
  });
  const relation = (from: number, to: number) => ({
    id: from,
    entity_id_1: from,
    entity_id_2: to,
    relation_type: 'of',
  });

  it('stands the same each time, with room for each, and what belongs together near each other', () => {
    const entities = Array.from({ length: 60 }, (_one, at) => entity(at + 1));
    const relations = [relation(1, 60), relation(7, 99)];
    const spots = layOut(entities, relations);
    expect(layOut(entities, relations)).toEqual(spots);
    const all = [...spots.values()];
    expect(all.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
    const distance = (a = { x: 0, y: 0 }, b = { x: 0, y: 0 }) => Math.hypot(a.x - b.x, a.y - b.y);
    const gaps = all.flatMap((spot, at) => all.slice(at + 1).map((other) => distance(spot, other)));
    expect(Math.min(...gaps)).toBeGreaterThan(100);
    const middle = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 0;
    expect(distance(spots.get(1), spots.get(60))).toBeLessThan(middle);
  });
});
