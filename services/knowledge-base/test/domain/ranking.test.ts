import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  applyReranking,
  type Fit,
  type Ranked,
  type Ranking,
  rank,
  rankListing,
} from '../../src/domain/ranking/ranking.ts';

const toCandidates = (ids: readonly string[]) =>
  ids.map((id) => ({ id, tags: id === 'tagged' ? ['a', 'urgent'] : [], importance: undefined, time: 0 }));
const ranking = (retriever: Ranking['retriever'], scores: Readonly<Record<string, number>>): Ranking => ({
  retriever,
  hits: toCandidates(Object.keys(scores)).map((candidate) => ({ candidate, score: scores[candidate.id] ?? 0 })),
});
const toFit = (value: number): Fit => ({ own: value, fromNeighbours: 0, form: 1, recency: 1, value });
const toFits = (values: Readonly<Record<string, number>>) => ({
  fits: new Map(Object.entries(values).map(([id, value]) => [id, toFit(value)])),
  further: [],
});
const idsOf = (ranked: readonly Ranked[]) => ranked.map(({ candidate }) => candidate.id);

describe('rank', () => {
  const words = ranking('words', { a: 9, b: 8 });

  it('orders by how well candidates fit, ties by id, and tells the place and the score in each list', () => {
    const ranked = rank([words, ranking('vector', { b: 0.2, c: 0.1 })], toFits({ a: 0.4, b: 1, c: 0.4 }));
    expect(ranked.map(({ candidate, score, lists }) => [candidate.id, score, lists])).toEqual([
      ['b', 1, { words: { rank: 2, score: 8 }, vector: { rank: 1, score: 0.2 } }],
      ['a', 0.4, { words: { rank: 1, score: 9 } }],
      ['c', 0.4, { vector: { rank: 2, score: 0.1 } }],
    ]);
  });

  it('takes in what no list has', () => {
    const { fits } = toFits({ a: 1, b: 0.2, near: 0.5 });
    expect(idsOf(rank([words], { fits, further: toCandidates(['near']) }))).toEqual(['a', 'near', 'b']);
  });

  it('lifts what has a priority tag half of the way to 1, and scores within [0,1], best first, each once', () => {
    const values = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd', 'tagged'),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(values, fc.boolean(), (given, isTagged) => {
        const ranked = rank([ranking('words', given)], toFits(given), isTagged ? ['urgent', 'other'] : []);
        expect(new Set(idsOf(ranked))).toEqual(new Set(Object.keys(given)));
        expect(new Set(idsOf(ranked)).size).toBe(ranked.length);
        for (const [at, { candidate, score, boosts }] of ranked.entries()) {
          const value = given[candidate.id] ?? 0;
          const lift = isTagged && candidate.id === 'tagged' ? (1 - value) / 2 : 0;
          expect(boosts).toEqual({ priority_tag: lift });
          expect(score).toBe(value + lift);
          expect(score).toBeLessThanOrEqual(ranked[at - 1]?.score ?? 1);
        }
      }),
    );
  });
});

describe('a listing', () => {
  it('stays in its order but for what has a priority tag', () => {
    const listed = toCandidates(['b', 'a', 'tagged']);
    expect(idsOf(rankListing(listed))).toEqual(['b', 'a', 'tagged']);
    expect(idsOf(rankListing(listed, ['urgent']))[1]).toBe('tagged');
  });
});

describe('applyReranking', () => {
  const first = rankListing(toCandidates(['a', 'b', 'c', 'd', 'tagged']));

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
    expect(ranked[0]).toMatchObject({ score: 1, fit: first[1]?.fit });
  });

  it('boosts what has a priority tag as before', () => {
    const scores = new Map(Object.entries({ a: 4, b: 3, c: 2, d: 1, tagged: 0 }));
    expect(idsOf(applyReranking(first, scores))).toEqual(['a', 'b', 'c', 'd', 'tagged']);
    const lifted = applyReranking(first, scores, ['urgent']);
    expect(idsOf(lifted)).toEqual(['a', 'b', 'tagged', 'c', 'd']);
    expect(lifted[2]?.score).toBeCloseTo((1 + 61 / 65) / 2);
  });
});
