import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kthLargest } from '../../src/ranking/index.ts';

it('is where the value stands when all are sorted, repeats included', () => {
  const values = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 35 }), (list, k) => {
      const expected = [...list].sort((a, b) => b - a)[k - 1] ?? Number.NEGATIVE_INFINITY;
      expect(kthLargest(Float64Array.from(list), k)).toBe(expected);
    }),
  );
});
