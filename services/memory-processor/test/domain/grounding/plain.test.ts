import { describe, expect, it } from '@jest/globals';
import { judgeFacts } from '../../../src/domain/grounding/check-facts.ts';
import type { WindowTurn } from '../../../src/domain/windows/window-turns.ts';

/** Why rules are in doubt about a fact of what Ann says, and whether they keep it. */
function doubtOf(said: string, content: string) {
  const turns: readonly WindowTurn[] = [
    { label: '1', speaker: 'Ben', voice: 'person', text: 'Hello.' },
    { label: '2', speaker: 'Ann', voice: 'person', text: said },
  ];
  const draft = { content, importance: 5, memoryType: 'knowledge' as const, tags: [], evidence: ['2'] };
  const ground = { turns, before: [], speakers: ['Ann', 'Ben'], date: '2024-05-05', maxFacts: 12 };
  const { facts, doubtful } = judgeFacts([draft], ground);
  return { isKept: facts.length > 0, reason: doubtful[0]?.doubt.reason };
}

describe('a fact', () => {
  it.each([
    ['I bought a red kayak in Oslo.', 'Ann bought a red kayak in Oslo.'],
    ['My flat has three rooms and a balcony.', "Ann's flat has three rooms and a balcony."],
    ['I live with my sister in Oslo.', 'Ann lives with her sister in Oslo.'],
    ['I never eat pork.', 'Ann never eats pork.'],
    ['我在杭州买了一辆红色的自行车。', 'Ann在杭州买了一辆红色的自行车。'],
  ])('put together of plain statements needs no second question: %s', (said, content) => {
    expect(doubtOf(said, content)).toEqual({ isKept: true, reason: undefined });
  });

  it.each([
    ['The neighbours own a red kayak, lovely thing.', 'Ann owns a red kayak.', 'somebody else'],
    ['A red kayak could be nice for the lake.', 'Ann has a red kayak for the lake.', 'a modal'],
    ['A red kayak for the lake, hahaha, on my salary.', 'Ann has a red kayak for the lake.', 'laughter'],
    ['The leaflet said "I own a red kayak and two tents".', 'Ann owns a red kayak and two tents.', 'a report'],
    ['院子里那辆红色自行车是邻居的。', 'Ann有一辆红色自行车。', 'somebody else'],
    ['红色自行车可以送货。', 'Ann的红色自行车送货。', 'a modal'],
  ])('of %j that says %j is asked about', (said, content, why) => {
    const { reason } = doubtOf(said, content);
    expect(reason).toBeDefined();
    if (reason?.startsWith('not said plainly')) expect(reason).toBe(`not said plainly: ${why}`);
  });
});
