import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cosineSimilarity, normalize } from '../../src/text/index.ts';

const vector = fc.float32Array({ minLength: 3, maxLength: 3 });

describe('cosineSimilarity', () => {
  it('is 1 for one direction, 0 for a right angle, -1 for opposite directions', () => {
    const east = Float32Array.of(2, 0);
    expect(cosineSimilarity(east, Float32Array.of(5, 0))).toBe(1);
    expect(cosineSimilarity(east, Float32Array.of(0, 3))).toBe(0);
    expect(cosineSimilarity(east, Float32Array.of(-1, 0))).toBe(-1);
  });

  it('is a number in [-1, 1] for any two vectors, even of zeros, NaN or infinity', () => {
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        const cosine = cosineSimilarity(a, b);
        expect(cosine >= -1 && cosine <= 1).toBe(true);
      }),
    );
  });

  it('refuses vectors of different lengths', () => {
    expect(() => cosineSimilarity(Float32Array.of(1), Float32Array.of(1, 2))).toThrow('not 1 and 2');
  });
});

describe('normalize', () => {
  it('gives length 1, or zeros to a vector without direction', () => {
    fc.assert(
      fc.property(vector, (input) => {
        const length = Math.hypot(...normalize(input));
        const hasDirection = input.every(Number.isFinite) && input.some((x) => x !== 0);
        expect(length).toBeCloseTo(hasDirection ? 1 : 0, 5);
      }),
    );
  });

  it('leaves its argument as it was', () => {
    const input = Float32Array.of(3, 4);
    expect(normalize(input)).toEqual(Float32Array.of(0.6, 0.8));
    expect(input).toEqual(Float32Array.of(3, 4));
  });
});
