import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Ranking, Retriever } from '../../src/domain/ranking/fusion.ts';
import { applyReranking, type Ranked, rank } from '../../src/domain/ranking/ranking.ts';

const toCandidates = (ids: readonly string[]) =>
  ids.map((id) => ({ id, tags: id === 'tagged' ? ['a', 'urgent'] : [], importance: undefined, time: 0 }));
const ranking = (ids: readonly string[], weight = 1, retriever: Retriever = 'words') => ({
  ...{ retriever, weight },
  hits: toCandidates(ids).map((candidate) => ({ candidate, score: 0 })),
});
const idsOf = (ranked: readonly Ranked[]) => ranked.map(({ candidate }) => candidate.id);

describe('rank', () => {
  it('puts what both retrievers found before what one of them found', () => {
    expect(idsOf(rank([ranking(['word', 'both']), ranking(['near', 'both'])]))[0]).toBe('both');
  });

  it('does not let a document found by nearness alone score as one found by words too', () => {
    const [onlyNear] = rank([ranking([]), ranking(['near'])]);
    const [foundTwice] = rank([ranking(['near']), ranking(['near'])]);
    expect(onlyNear?.score).toBe(0.5);
    expect(foundTwice?.score).toBe(1);
  });

  it('keeps a document that has no word of the query in the result', () => {
    expect(idsOf(rank([ranking(['a', 'b']), ranking(['a', 'b', 'no-word'])]))).toEqual(['a', 'b', 'no-word']);
  });

  it('follows the heavier ranking where two disagree', () => {
    expect(idsOf(rank([ranking(['a', 'b'], 1), ranking(['b', 'a'], 0.1)]))).toEqual(['a', 'b']);
  });

  it('boosts what has a priority tag half of the way to 1', () => {
    const plain = rank([ranking(['x', 'tagged'])]);
    expect(idsOf(plain)).toEqual(['x', 'tagged']);
    const before = plain[1]?.score ?? 0;
    const lifted = rank([ranking(['x', 'tagged'])], { priorityTags: ['urgent', 'other'] });
    expect(lifted.find(({ candidate }) => candidate.id === 'tagged')?.score).toBeCloseTo(before + (1 - before) / 2);
    expect(idsOf(rank([ranking(['x', 'tagged']), ranking(['y', 'tagged'])], { priorityTags: ['urgent'] }))[0]).toBe(
      'tagged',
    );
  });

  it('breaks ties by id', () => {
    expect(idsOf(rank([ranking(['b']), ranking(['a'])]))).toEqual(['a', 'b']);
  });

  it('scores within [0,1], best first, each document once', () => {
    const list = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'tagged'), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 2 }), fc.boolean(), (lists, prioritised) => {
        const rankings = lists.map((ids, at) => ranking(ids, at === 0 ? 1 : 0.1));
        const ranked = rank(rankings, prioritised ? { priorityTags: ['urgent'] } : {});
        expect(new Set(idsOf(ranked))).toEqual(new Set(lists.flat()));
        expect(new Set(idsOf(ranked)).size).toBe(ranked.length);
        for (const [at, { score }] of ranked.entries()) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(ranked[at - 1]?.score ?? 1);
        }
      }),
    );
  });

  it('tells the place and the score that each retriever gave', () => {
    const scored = (base: number, one: Ranking): Ranking => ({
      ...one,
      hits: one.hits.map(({ candidate }, at) => ({ candidate, score: base - at })),
    });
    const ranked = rank([scored(9, ranking(['a', 'b'])), scored(2, ranking(['b', 'c'], 0.1, 'vector'))]);
    expect(Object.fromEntries(ranked.map(({ candidate, lists }) => [candidate.id, lists]))).toEqual({
      a: { words: { rank: 1, score: 9 } },
      b: { words: { rank: 2, score: 8 }, vector: { rank: 1, score: 2 } },
      c: { vector: { rank: 2, score: 1 } },
    });
    for (const { relevance, score } of ranked) {
      expect(relevance).toEqual({ own: score, fromNeighbours: 0, utteranceFactor: 1, timeFactor: 1, value: score });
    }
  });

  it('tells how relevant each candidate is, and why', () => {
    const relevance = new Map([
      ['a', { own: 1, fromNeighbours: 0, utteranceFactor: 1, timeFactor: 1, value: 1 }],
      ['b', { own: 0.4, fromNeighbours: 0.2, utteranceFactor: 0.5, timeFactor: 1.5, value: 0.45 }],
    ]);
    const ranked = rank([ranking(['a', 'b'])], { relevance, further: toCandidates(['c']) });
    expect(ranked.map((one) => [one.candidate.id, one.relevance, one.score])).toEqual([
      ['a', relevance.get('a'), 1],
      ['b', relevance.get('b'), 0.45],
      ['c', { own: 0, fromNeighbours: 0, utteranceFactor: 1, timeFactor: 1, value: 0 }, 0],
    ]);
  });
});

describe('applyReranking', () => {
  const first = rank([ranking(['a', 'b', 'c', 'd', 'tagged'])]);

  it('orders by the new scores, of whatever scale, and lets what has none follow', () => {
    const ranked = applyReranking(first, new Map(Object.entries({ a: -11.5, b: -3, c: -3 })));
    expect(idsOf(ranked)).toEqual(['b', 'c', 'a', 'd', 'tagged']);
    expect(ranked.map(({ rerank }) => rerank)).toEqual([
      { rank: 1, score: -3 },
      { rank: 2, score: -3 },
      { rank: 3, score: -11.5 },
      undefined,
      undefined,
    ]);
    expect(ranked[0]).toMatchObject({ score: 1, lists: { words: { rank: 2 } }, relevance: first[1]?.relevance });
  });

  it('boosts what has a priority tag as before', () => {
    const scores = new Map(Object.entries({ a: 4, b: 3, c: 2, d: 1, tagged: 0 }));
    expect(idsOf(applyReranking(first, scores))).toEqual(['a', 'b', 'c', 'd', 'tagged']);
    const lifted = applyReranking(first, scores, { priorityTags: ['urgent'] });
    expect(idsOf(lifted)).toEqual(['a', 'b', 'tagged', 'c', 'd']);
    expect(lifted[2]?.score).toBeCloseTo((1 + 61 / 65) / 2);
  });
});
