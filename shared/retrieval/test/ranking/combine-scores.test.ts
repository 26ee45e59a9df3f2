import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { combineScores, toRelevanceScale, wordsAlone } from '../../src/ranking/index.ts';

const model = toRelevanceScale({ provider: 'openai', model: 'some-model' });
const scores = (entries: Readonly<Record<string, number>>) => new Map(Object.entries(entries));

describe('combineScores', () => {
  it('puts what both words and vectors find before what one of them finds', () => {
    const combined = combineScores(scores({ words: 9, both: 9 }), scores({ near: 0.7, both: 0.7 }), model);
    expect(combined.get('both')).toBe(1);
    expect(combined.get('words')).toBe(0.5);
    expect(combined.get('near')).toBe(0.5);
  });

  it('counts vectors that are made of words for little', () => {
    const combined = combineScores(scores({ words: 9 }), scores({ near: 0.7 }), wordsAlone);
    expect(combined.get('words')).toBeGreaterThan(5 * (combined.get('near') ?? 1));
    expect(combined.get('near')).toBeGreaterThan(0);
  });

  it('goes by words alone where there are no vectors', () => {
    expect([...combineScores(scores({ a: 4, b: 2 }), new Map(), model)]).toEqual([
      ['a', 1],
      ['b', 0.5],
    ]);
  });

  it('is in [0, 1], whatever the scales are', () => {
    const words = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.double({ min: 0, max: 1e6, noNaN: true }));
    const cosines = fc.dictionary(fc.constantFrom('a', 'b', 'd'), fc.double({ min: -1, max: 1, noNaN: true }));
    fc.assert(
      fc.property(words, cosines, fc.constantFrom(model, wordsAlone), (byWords, byVector, scale) => {
        for (const score of combineScores(scores(byWords), scores(byVector), scale).values()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });
});
