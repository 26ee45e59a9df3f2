import { describe, expect, it } from '@jest/globals';
import { classifyMemory } from '../../src/domain/stores/classify-memory.ts';
import { parseMemoryId, toMemoryId } from '../../src/domain/stores/memory-id.ts';

/** A Monday evening in UTC, which is Tuesday in Shanghai. */
const now = new Date('2026-05-04T20:00:00Z');
const file = (text: string, more: object = {}, zone = 'UTC') => classifyMemory({ text, ...more }, { now, zone });

describe('a text is filed', () => {
  it.each([
    ['My name is Ann.', 'name', 'Ann'],
    ['I live in Leith', 'city', 'Leith'],
    ['My birthday is 3 May 1990', 'birthday', '3 May 1990'],
    ['my favorite colour is teal', 'favourite_colour', 'teal'],
    ['I work for the Harbour Office', 'employer', 'the Harbour Office'],
    ['我叫知夏', 'name', '知夏'],
    ['我住在上海。', 'city', '上海'],
    ['我的生日是5月3日', 'birthday', '5月3日'],
    ['我最喜欢的颜色是青色', 'favourite_colour', '青色'],
    ['我的公司：港口管理处', 'employer', '港口管理处'],
  ])('as a fact: %s', (text, key, value) => {
    expect(file(text)).toEqual({ kind: 'fact', key, value });
  });

  it.each([
    ['I saw a seal yesterday', '2026-05-03'],
    ['Dentist on 2026-06-01', '2026-06-01'],
    ['I moved to Leith yesterday', '2026-05-03'],
    ['昨天在码头看到了海豚', '2026-05-03'],
  ])('as an event of the day that it names: %s', (text, day) => {
    expect(file(text)).toEqual({ kind: 'event', day });
  });

  it.each([
    'The ferry needs a ticket',
    'I live in Leith, next to the harbour, with two cats',
    `I live in ${'a very long place name '.repeat(20)}`,
    'My sister is allergic to nuts',
    '渡轮要买票',
    '我叫他快点来，他不听',
  ])('as a note: %s', (text) => {
    expect(file(text)).toEqual({ kind: 'note' });
  });

  it('as the caller says, whatever the text is like', () => {
    expect(file('I live in Leith', { kind: 'note' })).toEqual({ kind: 'note' });
    expect(file('Leith', { key: 'city' })).toEqual({ kind: 'fact', key: 'city', value: 'Leith' });
    expect(file('I live in Leith', { kind: 'event' })).toEqual({ kind: 'event', day: undefined });
    expect(file('Saw a seal', { day: 'last Friday' })).toEqual({ kind: 'event', day: 'last Friday' });
    expect(() => file('The ferry needs a ticket', { kind: 'fact' })).toThrow('key is required');
  });

  it('by the day that it is where the user is', () => {
    expect(file('昨天去了集市', {}, 'Asia/Shanghai')).toEqual({ kind: 'event', day: '2026-05-04' });
  });
});

it('an id says the store and the id there, and nothing else is one', () => {
  for (const address of [
    { kind: 'fact', own: 'a:b' },
    { kind: 'project', own: 'loom/x/mem_1' },
  ] as const) {
    expect(parseMemoryId(toMemoryId(address))).toEqual(address);
  }
  for (const id of ['city', 'fact:', 'facts:city', ':city', '']) expect(() => parseMemoryId(id)).toThrow('id must be');
});
