import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { combineScores, type Retrieved, toRelevanceScale, wordsAlone } from '../../src/ranking/index.ts';

const model = toRelevanceScale({ provider: 'openai', model: 'some-model' });
const combine = (texts: readonly Retrieved[], scale = model) => Object.fromEntries(combineScores(texts, scale));

describe('combineScores', () => {
  it('puts what both words and vectors find before what one of them finds', () => {
    const both = { id: 'both', words: 9, cosine: 0.7 };
    const {
      words = 0,
      near = 0,
      ...others
    } = combine([
      both,
      { id: 'words', words: 9, cosine: 0.1 },
      { id: 'near', cosine: 0.7 },
      { id: 'neither', words: 0, cosine: 0.1 },
    ]);
    expect(others).toEqual({ both: 1, neither: expect.any(Number) });
    expect(words + near).toBeCloseTo(1);
    expect(Math.min(words, near)).toBeGreaterThan(0.3);
  });

  it.each([
    { far: 0.1, near: 0.6 },
    { far: 0.25, near: 0.35 },
  ])('gives cosines one scale, whatever those of a model are: $far to $near', ({ far, near }) => {
    const combined = combine([
      { id: 'far', words: 5, cosine: far },
      { id: 'between', cosine: (far + near) / 2 },
      { id: 'near', cosine: near },
    ]);
    expect(combined['between']).toBeCloseTo((combined['near'] ?? 0) / 2);
  });

  it('finds the farthest of those that are near at all, and none that is not', () => {
    const { far = 0, none } = combine([
      { id: 'near', words: 3, cosine: 0.6 },
      { id: 'far', cosine: 0.2 },
      { id: 'none', cosine: 0 },
    ]);
    expect(far).toBeGreaterThan(0);
    expect(none).toBe(0);
  });

  it('counts the vector of a long text for less', () => {
    const { short = 0, long = 0 } = combine([
      { id: 'far', words: 1, cosine: 0 },
      { id: 'short', cosine: 0.5, length: 80 },
      { id: 'long', cosine: 0.5, length: 4_000 },
    ]);
    expect(short).toBeGreaterThan(5 * long);
    expect(long).toBeGreaterThan(0);
  });

  it('counts vectors that are made of words for little', () => {
    const { words = 0, near = 1 } = combine(
      [
        { id: 'words', words: 9, cosine: 0.1 },
        { id: 'near', cosine: 0.7 },
      ],
      wordsAlone,
    );
    expect(words).toBeGreaterThan(5 * near);
    expect(near).toBeGreaterThan(0);
  });

  it('takes all that is near for near, where nothing else is there', () => {
    const { first = 0, second = 0 } = combine([
      { id: 'first', cosine: 0.6 },
      { id: 'second', cosine: 0.55 },
    ]);
    expect(second).toBeGreaterThan(0.8 * first);
  });

  it('goes by words alone where there are no vectors', () => {
    expect(
      combine([
        { id: 'a', words: 4 },
        { id: 'b', words: 2 },
      ]),
    ).toEqual({ a: 1, b: 0.5 });
  });

  it('is in [0, 1], whatever the scales are', () => {
    const text = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      words: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
      cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: undefined }),
      length: fc.option(fc.nat(), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(text), fc.constantFrom(model, wordsAlone), (texts, scale) => {
        for (const score of combineScores(texts, scale).values()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });
});
