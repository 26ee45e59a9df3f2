import { anyCharacter } from '@contextloom/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens } from '../src/index.ts';

describe('countTokens', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['The quick brown fox jumps over the lazy dog.', 10],
  ])('counts o200k_base tokens: %j has %i', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
  });

  it('counts special-token text as the plain text it is', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
    expect(countTokens('<|im_start|>system')).toBeGreaterThan(2);
  });

  it('counts any text, with at least one token where there is a character', () => {
    const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: anyCharacter })), (text) => {
        expect(countTokens(text) > 0).toBe(text.length > 0);
      }),
    );
  });

  it('counts long rows piece by piece and leaves nothing out', () => {
    const row = '我们明天去北京看爷爷奶奶'.repeat(20).slice(0, 200);
    expect(countTokens(row.repeat(5))).toBe(5 * countTokens(row));
    expect(countTokens(`${row}\0 end`)).toBe(countTokens(row) + countTokens('\0 end'));
  });

  // In one piece, the encoder takes minutes for each of these.
  it.each(['a', '好', ' ', '!', '/\n', '\u0301'])('counts 300,000 characters of %j', (unit) => {
    expect(countTokens(unit.repeat(300_000 / unit.length))).toBeGreaterThan(300);
  });
});
