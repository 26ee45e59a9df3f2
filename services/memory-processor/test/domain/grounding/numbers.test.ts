import { anyCharacter } from '@contextloom/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseChineseNumeral } from '../../../src/domain/grounding/numbers/chinese-numeral.ts';
import { readNumbers, readStatedNumbers } from '../../../src/domain/grounding/numbers/numbers.ts';

const DIGITS = '零一二三四五六七八九';

/** A number below ten thousand as it is written in Chinese. */
function toChinese(n: number): string {
  const units = ['', '十', '百', '千'];
  const digits = [...String(n)].map(Number);
  const written = digits.map((digit, at) => {
    const unit = units[digits.length - 1 - at] ?? '';
    return digit === 0 ? '零' : `${DIGITS[digit]}${unit}`;
  });
  const joined = written.join('').replace(/零+/gu, '零').replace(/零$/u, '');
  return joined.replace(/^一十/u, '十');
}

describe('Chinese numerals', () => {
  it('below ten thousand are read as they are written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999 }), (n) => {
        expect(parseChineseNumeral(toChinese(n))).toBe(n);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['十', 10],
    ['二〇二三', 2023],
    ['两千', 2_000],
    ['两百五', 250],
    ['一百零五', 105],
    ['三万五千', 35_000],
    ['一亿', 1e8],
    ['二十三万', 230_000],
  ])('%s is %d', (text, value) => {
    expect(parseChineseNumeral(text)).toBe(value);
  });
});

describe('the numbers that a text may hold', () => {
  it.each([
    ['1,250 dollars', 1_250],
    ['1.5万', 15_000],
    ['5k runs', 5_000],
    ['two hundred people', 200],
    ['a hundred', 100],
    ['twenty-three', 23],
    ['twenty first', 21],
    ['a dozen eggs', 12],
    ['half an hour', 0.5],
    ['june', 6],
    ['on Sept 3', 9],
    ['７点半', 19],
    ['俩孩子', 2],
    ['三个', 3],
    ['on at eight till eight', 20],
    ['三千二一个月', 3_200],
    ['work pays half', 50],
  ])('%s: %d', (text, value) => {
    expect([...readNumbers(text)]).toContain(value);
  });

  it('takes no Unicode amiss', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        for (const value of readNumbers(text)) expect(Number.isNaN(value)).toBe(false);
        readStatedNumbers(text);
      }),
    );
  });
});

describe('the numbers that a text states', () => {
  it.each([
    ['三心二意地走了十分钟', [10]],
    ['一起去一家店', []],
    ['two of 30, and one more', [30, 2]],
    ['二十三岁，住3楼', [3, 23]],
    ['一年一万九', [19_000]],
    ['花了8.5万元', [85_000]],
    ['营收1亿5000万', [150_000_000]],
    ['营收一亿五千万。', [150_000_000]],
    ['卖了十六万。', [160_000]],
    ['卖了3万5千', [35_000]],
    ['存了2千3百元', [2_300]],
  ])('%s: %j', (text, values) => {
    expect(readStatedNumbers(text).map(({ value }) => value)).toEqual(values);
  });
});
