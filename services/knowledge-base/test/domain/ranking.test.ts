import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rank } from '../../src/domain/ranking.ts';

const toCandidates = (ids: readonly string[]) =>
  ids.map((id) => ({ id, tags: id === 'tagged' ? ['a', 'urgent'] : [] }));
const ranking = (ids: readonly string[], weight = 1) => ({ candidates: toCandidates(ids), weight });
const idsOf = (ranked: readonly { readonly id: string }[]) => ranked.map(({ id }) => id);

describe('rank', () => {
  it('puts what both ways of searching found before what one of them found', () => {
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

  it('lifts what has a priority tag half of the way to 1', () => {
    const plain = rank([ranking(['x', 'tagged'])]);
    expect(idsOf(plain)).toEqual(['x', 'tagged']);
    const before = plain[1]?.score ?? 0;
    const lifted = rank([ranking(['x', 'tagged'])], ['urgent', 'other']);
    expect(lifted.find(({ id }) => id === 'tagged')?.score).toBeCloseTo(before + (1 - before) / 2);
    expect(idsOf(rank([ranking(['x', 'tagged']), ranking(['y', 'tagged'])], ['urgent']))[0]).toBe('tagged');
  });

  it('breaks ties by id', () => {
    expect(idsOf(rank([ranking(['b']), ranking(['a'])]))).toEqual(['a', 'b']);
  });

  it('scores within [0,1], best first, each document once', () => {
    const list = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'tagged'), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 2 }), fc.boolean(), (lists, prioritised) => {
        const rankings = lists.map((ids, at) => ranking(ids, at === 0 ? 1 : 0.1));
        const ranked = rank(rankings, prioritised ? ['urgent'] : []);
        expect(new Set(idsOf(ranked))).toEqual(new Set(lists.flat()));
        expect(new Set(idsOf(ranked)).size).toBe(ranked.length);
        for (const [at, { score }] of ranked.entries()) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(ranked[at - 1]?.score ?? 1);
        }
      }),
    );
  });
});
