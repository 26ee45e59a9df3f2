import { describe, expect, it } from '@jest/globals';
import { toVectorBlob } from '../src/index.ts';

describe('toVectorBlob', () => {
  it('gives the floats of the vector alone, though they lie in a larger buffer', () => {
    const part = new Float32Array([9, 1, 2, 9]).subarray(1, 3);
    expect([...new Float32Array(new Uint8Array(toVectorBlob(part, 2)).buffer)]).toEqual([1, 2]);
  });

  it('refuses a vector of another length', () => {
    expect(() => toVectorBlob(new Float32Array(3), 4)).toThrow('3 dimensions where 4 are stored');
    expect(() => toVectorBlob(new Float32Array(0), 4)).toThrow('0 dimensions');
  });

  it('refuses a vector that has no direction to compare', () => {
    expect(() => toVectorBlob(new Float32Array([1, Number.NaN]), 2)).toThrow('not finite');
    expect(() => toVectorBlob(new Float32Array([1, Number.POSITIVE_INFINITY]), 2)).toThrow('not finite');
  });
});
