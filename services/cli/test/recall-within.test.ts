import { expect, it } from '@jest/globals';
import type { Aggregator } from '../src/aggregator.ts';
import { recallWithin } from '../src/recall-within.ts';

const today = { now: new Date('2026-05-06T12:00:00Z'), zone: 'UTC' };
const summer = '2025-06-01..2025-08-31';
const time = { when: 'last summer', from: '2025-06-01', to: '2025-08-31' };

/** An aggregator that has memories in one range of time, or of any; it keeps what it is called with. */
function createAggregator(withMemories: string | undefined) {
  const calls: (readonly [tool: string, query: unknown, range: unknown])[] = [];
  const call = async (tool: string, { query, time_range }: Readonly<Record<string, unknown>>) => {
    calls.push([tool, query, time_range]);
    return { memories: time_range === withMemories ? [{ id: 'note:1' }] : [], not_asked: [] };
  };
  return { aggregator: { call } as unknown as Pick<Aggregator, 'call'>, calls };
}

const ask = async (query: string, withMemories: string | undefined) => {
  const { aggregator, calls } = createAggregator(withMemories);
  const answer = await recallWithin(aggregator, { query, limit: 5, user_id: 'ann' }, today);
  return { calls, found: answer.memories.length, time: answer.time };
};

it.each([
  ['What did I do last summer?', summer, [['list_memories', undefined, summer]], { ...time, isMet: true }],
  ['the boat last summer', summer, [['recall', 'the boat', summer]], { ...time, isMet: true }],
  [
    'the boat last summer',
    undefined,
    [
      ['recall', 'the boat', summer],
      ['recall', 'the boat last summer', undefined],
    ],
    { ...time, isMet: false },
  ],
  ['Where do I live?', undefined, [['recall', 'Where do I live?', undefined]], undefined],
  ['去年夏天我做了什么', summer, [['list_memories', undefined, summer]], { ...time, when: '去年夏天', isMet: true }],
] as const)('%s, where what there is has the time %s', async (query, withMemories, calls, expected) => {
  expect(await ask(query, withMemories)).toEqual({ calls, found: 1, time: expected });
});
