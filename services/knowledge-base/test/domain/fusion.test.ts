import { toShares } from '@contextloom/retrieval/ranking';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fuse, type Ranking } from '../../src/domain/ranking/fusion.ts';

const ranking = (scores: Readonly<Record<string, number>>): Ranking => ({
  retriever: 'words',
  weight: 1,
  hits: Object.entries(scores).map(([id, score]) => ({
    candidate: { id, tags: [], importance: undefined, time: 0 },
    score,
  })),
});

describe('the fusion by scores', () => {
  it('adds what two retrievers found', () => {
    expect(fuse([ranking({ a: 3, b: 2 }), ranking({ b: 0.5, c: 0.25 })], 'scores')).toEqual(
      new Map([
        ['a', 3],
        ['b', 2.5],
        ['c', 0.25],
      ]),
    );
  });

  it('stays in [0,1] as shares, with cosines below 0 too, and leads with 1', () => {
    const scores = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.double({ min: -1, max: 40, noNaN: true }));
    fc.assert(
      fc.property(scores, scores, (words, vectors) => {
        const shares = [...toShares(fuse([ranking(words), ranking(vectors)], 'scores')).values()];
        for (const share of shares) expect(share >= 0 && share <= 1).toBe(true);
        if (shares.some((share) => share > 0)) expect(Math.max(...shares)).toBe(1);
      }),
    );
  });
});
