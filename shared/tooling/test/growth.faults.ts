import { findSuperlinear, REPEATED_UNITS } from '@contextloom/testing/growth';
import { describe, expect, it } from '@jest/globals';

describe('findSuperlinear', () => {
  it('names the unit that makes an expression quadratic', () => {
    expect(findSuperlinear((text) => /\s+$/u.test(text), { units: [' ', 'a'] })).toEqual([
      expect.stringMatching(/^" "/u),
    ]);
  });

  it('finds nothing in what reads each character once', () => {
    expect(findSuperlinear((text) => text.replace(/\s/gu, ''), { units: REPEATED_UNITS.slice(0, 20) })).toEqual([]);
  });
});
