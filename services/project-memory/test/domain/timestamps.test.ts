import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toMemoryTime, toSeconds } from '../../src/domain/timestamps.ts';

const now = new Date('2026-03-01T12:00:00.900Z');
const present = 1_772_366_400;

describe('the time of a memory', () => {
  it('is told apart by its size: seconds, milliseconds, microseconds, nanoseconds', () => {
    // From 1974 to 2200, exact where a number still holds the unit.
    fc.assert(
      fc.property(fc.integer({ min: 126_230_400, max: 7_258_118_400 }), (seconds) => {
        expect(toSeconds(seconds)).toBe(seconds);
        expect(toSeconds(seconds * 1e3 + 999)).toBe(seconds);
        expect(toSeconds(seconds * 1e6 + 999_999)).toBe(seconds);
        expect(Math.abs(toSeconds(seconds * 1e9) - seconds)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is now without one, and at most ten minutes ahead', () => {
    expect(toMemoryTime(undefined, now)).toBe(present);
    expect(toMemoryTime(present + 600, now)).toBe(present + 600);
    expect(toMemoryTime(1, now)).toBe(1);
    expect(() => toMemoryTime((present + 601) * 1e6, now)).toThrow('ts must be at most 10 minutes ahead');
  });
});
