import { describe, expect, it } from '@jest/globals';
import { tokenize } from '../../src/text/index.ts';

describe('tokenize: any input', () => {
  // Each of these took minutes, or exhausted the stack, in a careless form of the expressions.
  it.each([
    ['one letter', 'a'],
    ['one Chinese character', '好'],
    ['a character beyond the basic plane', '\u{20000}'],
    ['combining marks in the wrong order', '\u0301\u0316'],
    ['halfwidth voicing marks among combining marks', '\uff9e\u0301'],
    ['ligatures of 18 letters', '\ufdfa'],
    ['apostrophes', "a'"],
    ['digits and commas', '1,'],
    ['lone surrogates', '\ud800'],
    ['emoji', '👩‍👧'],
    ['white space', ' \n'],
  ])('takes a megabyte of %s in one go', (_, unit) => {
    expect(() => tokenize(unit.repeat(1_000_000 / unit.length))).not.toThrow();
  });
});
