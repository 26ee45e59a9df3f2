import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fuseRanks } from '../../src/ranking/index.ts';

const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { minLength: 1 });
const lists = fc.array(fc.record({ ids, weight: fc.double({ min: 0.01, max: 100, noNaN: true }) }), {
  minLength: 1,
  maxLength: 5,
});

describe('fuseRanks', () => {
  it('adds weight / (k + rank), divided by the best possible sum', () => {
    const fused = fuseRanks([{ ids: ['a', 'b'] }, { ids: ['b'], weight: 0.5 }]);
    expect(fused.get('a')).toBeCloseTo(1 / 61 / (1.5 / 61), 12);
    expect(fused.get('b')).toBeCloseTo((1 / 62 + 0.5 / 61) / (1.5 / 61), 12);
  });

  it('keeps the order of a single list', () => {
    fc.assert(fc.property(ids, (list) => expect([...fuseRanks([{ ids: list }]).keys()]).toEqual(list)));
  });

  it('scores in (0, 1], best first, each id of any list once', () => {
    fc.assert(
      fc.property(lists, (input) => {
        const fused = fuseRanks(input);
        const scores = [...fused.values()];
        expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(new Set(fused.keys())).toEqual(new Set(input.flatMap((list) => list.ids)));
      }),
    );
  });

  it('scores an id that leads every list exactly 1', () => {
    fc.assert(
      fc.property(lists, (input) => {
        const led = input.map((list) => ({ ...list, ids: ['first', ...list.ids] }));
        expect(fuseRanks(led).get('first')).toBe(1);
      }),
    );
  });

  it('counts an empty list as one that found nothing', () => {
    expect(fuseRanks([{ ids: ['a'] }, { ids: [] }]).get('a')).toBe(0.5);
  });

  it('counts a repeated id once, at its best rank', () => {
    expect(fuseRanks([{ ids: ['a', 'a', 'b'] }])).toEqual(fuseRanks([{ ids: ['a', 'b'] }]));
  });

  it('keeps ties in the order in which they were first seen', () => {
    expect([...fuseRanks([{ ids: ['b', 'a'] }, { ids: ['a', 'b'] }]).keys()]).toEqual(['b', 'a']);
  });

  it('gives nothing for no lists', () => {
    expect(fuseRanks([]).size).toBe(0);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a weight of %p', (weight) => {
    expect(() => fuseRanks([{ ids: ['a'], weight }])).toThrow('weight must be a number above 0');
  });

  it.each([-1, Number.NaN])('refuses a k of %p', (k) => {
    expect(() => fuseRanks([{ ids: ['a'] }], { k })).toThrow('k must be a number of at least 0');
  });
});
