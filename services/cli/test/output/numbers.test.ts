import { describe, expect, it } from '@jest/globals';
import { toCount, toDollars } from '../../src/output/text/numbers.ts';

describe('numbers for people', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_234_567, '1,234,567'],
  ])('sets the thousands of %d apart', (value, text) => {
    expect(toCount(value)).toBe(text);
  });

  it.each([
    [0, '$0'],
    [0.00002, 'less than $0.0001'],
    [0.0123, '$0.0123'],
    [0.99, '$0.9900'],
    [12.345, '$12.35'],
  ])('writes %d dollars as %s', (amount, text) => {
    expect(toDollars(amount)).toBe(text);
  });
});
