import { searchRequestSchema } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toBoostOptions } from '../../src/domain/ranking/boosts.ts';
import type { Ranking } from '../../src/domain/ranking/fusion.ts';
import { applyReranking, rank, toRelevance } from '../../src/domain/ranking/ranking.ts';
import { MEMORY_BOOSTS } from '../../src/domain/search/tuning.ts';
import type { Candidate } from '../../src/domain/store.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2024, 5, 1);

const toMemory = (id: string, importance?: number, daysAgo = 0, tags = ['memory']): Candidate => ({
  ...{ id, tags, importance, time: NOW - daysAgo * DAY },
});
const toRankings = (byWords: readonly Candidate[], byVector = byWords, vectorWeight = 1): readonly Ranking[] => [
  { retriever: 'words', hits: byWords.map((candidate) => ({ candidate, score: 0 })), weight: 1 },
  { retriever: 'vector', hits: byVector.map((candidate) => ({ candidate, score: 0 })), weight: vectorWeight },
];
/** First by one way and second by the other, both ways round: nothing but a boost tells the two apart. */
const toEquals = (a: Candidate, b: Candidate) => toRankings([a, b], [b, a]);
const idsOf = (ranked: ReturnType<typeof rank>) => ranked.map(({ candidate }) => candidate.id);

/** Of its own, so that the rules are tested whatever the tuning. */
const memories = { importance: 0.03, recency: 0.018, halfLifeDays: 30 };

const importance = fc.option(fc.oneof(fc.integer({ min: -5, max: 15 }), fc.double({ noNaN: true })), {
  nil: undefined,
});
const daysAgo = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }));

describe('the boosts of memories', () => {
  it('order equals by importance', () => {
    const [less, more] = [toMemory('a', 3), toMemory('b', 8)];
    expect(idsOf(rank(toEquals(less, more)))).toEqual(['a', 'b']);
    expect(idsOf(rank(toEquals(less, more), { memories }))).toEqual(['b', 'a']);
  });

  it('order equals of one importance by when they happened', () => {
    const [older, newer] = [toMemory('a', 5, 40), toMemory('b', 5, 10)];
    expect(idsOf(rank(toEquals(older, newer), { memories }))).toEqual(['b', 'a']);
    expect(idsOf(rank(toEquals(toMemory('a', 5, 40), toMemory('b', 5, 40)), { memories }))).toEqual(['a', 'b']);
  });

  it('let importance go before recency where both pull', () => {
    const [newer, important] = [toMemory('a', 2, 0), toMemory('b', 9, 365)];
    expect(idsOf(rank(toEquals(newer, important), { memories }))).toEqual(['b', 'a']);
  });

  it('never put what leads both lists behind what is fourth in both, as they are tuned', () => {
    expect(MEMORY_BOOSTS.importance + MEMORY_BOOSTS.recency).toBeLessThan(64 / 61 - 1);
    const ages = fc.array(fc.tuple(importance, daysAgo), { minLength: 4, maxLength: 8 });
    fc.assert(
      fc.property(ages, fc.constantFrom(0.1, 1), (given, vectorWeight) => {
        const found = given.map(([rating, days], at) => toMemory(`d${at}`, rating, days));
        const ids = idsOf(rank(toRankings(found, found, vectorWeight), { memories: MEMORY_BOOSTS }));
        for (const behind of found.slice(3)) expect(ids.indexOf('d0')).toBeLessThan(ids.indexOf(behind.id));
      }),
    );
    const extremes = [
      toMemory('d0', 1, 10_000),
      toMemory('d1', 1, 9_999),
      toMemory('d2', 1, 9_999),
      toMemory('d3', 10),
    ];
    expect(idsOf(rank(toRankings(extremes), { memories }))).toEqual(['d0', 'd3', 'd1', 'd2']);
  });

  it('never put what is five percent more relevant behind, as they are tuned', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1.05, max: 20, noNaN: true }),
        importance,
        importance,
        daysAgo,
        daysAgo,
        (times, a, b, c, d) => {
          const [more, less] = [toMemory('b-more', a, c), toMemory('a-less', b, d)];
          const relevance = toRelevance(new Map(Object.entries({ 'b-more': 1, 'a-less': 1 / times })));
          expect(idsOf(rank(toRankings([less, more]), { memories: MEMORY_BOOSTS, relevance }))[0]).toBe('b-more');
        },
      ),
    );
  });

  it('keep scores in [0,1] and add up to them', () => {
    const any = fc.uniqueArray(fc.record({ id: fc.nat(20), rating: importance, days: daysAgo }), {
      selector: ({ id }) => id,
      minLength: 1,
    });
    fc.assert(
      fc.property(any, fc.boolean(), (given, isTagged) => {
        const found = given.map(({ id, rating, days }) => toMemory(`d${id}`, rating, days));
        const ranked = rank(toRankings(found, [...found].reverse(), 0.1), {
          memories,
          priorityTags: isTagged ? ['memory'] : [],
        });
        for (const [at, { relevance, boosts, score }] of ranked.entries()) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(ranked[at - 1]?.score ?? 1);
          expect(boosts.importance).toBeGreaterThanOrEqual(0);
          expect(boosts.importance).toBeLessThanOrEqual(memories.importance);
          expect(boosts.recency).toBeGreaterThanOrEqual(0);
          expect(boosts.recency).toBeLessThanOrEqual(memories.recency);
          const boosted = (relevance.value * (1 + boosts.importance + boosts.recency)) / 1.048;
          expect(score).toBeCloseTo(boosted + boosts.priority_tag, 12);
        }
      }),
    );
  });

  it('measure age from the newest memory found, so that a search stays the same as time goes by', () => {
    const recencies = (shift: number) => {
      const ranked = rank(toEquals(toMemory('a', 5, 30 + shift), toMemory('b', 5, shift)), { memories });
      return ranked.map(({ boosts }) => boosts.recency);
    };
    expect(recencies(0)).toEqual([0.018, 0.009]);
    expect(recencies(500)).toEqual([0.018, 0.009]);
  });

  it('touch no document without the tag', () => {
    const note = toMemory('note', 10, 0, ['note']);
    const ranked = rank(toRankings([toMemory('m', 1, 100), note]), { memories });
    expect(ranked.find(({ candidate }) => candidate === note)?.boosts).toEqual({
      importance: 0,
      recency: 0,
      priority_tag: 0,
    });
  });

  it('hold for the order of a reranker as well', () => {
    const found = [toMemory('a', 1, 900), toMemory('b', 1, 900), toMemory('c', 10), toMemory('d', 10)];
    const scores = new Map(found.map(({ id }, at) => [id, -at]));
    const ranked = applyReranking(rank(toRankings(found), { memories }), scores, { memories });
    expect(idsOf(ranked)[0]).not.toBe('d');
    expect(ranked.find(({ candidate }) => candidate.id === 'd')?.boosts.importance).toBe(0.03);
  });
});

describe('toBoostOptions', () => {
  const isForMemories = (request: object) =>
    toBoostOptions(searchRequestSchema.parse({ query: 'tea', ...request })).memories !== undefined;

  it.each([
    [{ tags: ['memory'] }, true],
    [{ tags: ['memory', 'episode'] }, true],
    [{ tags_all: ['memory'] }, true],
    [{ tags_any: ['memory'] }, true],
    [{ tags_any: ['memory', 'note'] }, false],
    [{ tags_any: [] }, false],
    [{ tags: ['note'] }, false],
    [{ priority_tags: ['memory'] }, false],
    [{}, false],
    [{ query: '  ', tags: ['memory'] }, false],
  ])('of %j', (request, expected) => {
    expect(isForMemories(request)).toBe(expected);
  });
});
