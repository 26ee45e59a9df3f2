import { parseChineseNumeral } from './chinese-numeral.ts';

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const VALUES = new Map<string, number>([
  ...SMALL.split(' ').map((word, value): [string, number] => [word, value]),
  ...'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, at): [string, number] => [word, (at + 2) * 10]),
]);
const SCALES = new Map<string, number>([
  ['hundred', 100],
  ['thousand', 1_000],
  ['grand', 1_000],
  ['million', 1e6],
  ['billion', 1e9],
]);

/** The value of number words in a row: `two hundred and fifty`, `twenty three thousand`. */
function toValue(words: readonly string[]): number {
  let [total, section] = [0, 0];
  for (const word of words) {
    const scale = SCALES.get(word);
    if (scale === undefined) section += VALUES.get(word) ?? 0;
    else if (scale === 100) section = (section || 1) * 100;
    else {
      total += (section || 1) * scale;
      section = 0;
    }
  }
  return total + section;
}

/** A year in two pairs, `nineteen ninety-eight`, `twenty twenty`; undefined for other words. */
function toYear(words: readonly string[]): number | undefined {
  const values = words.map((word) => VALUES.get(word) ?? -1);
  const [first, second, third = 0] = values;
  if (values.length < 2 || values.length > 3 || first === undefined || second === undefined || values.includes(-1))
    return undefined;
  return first >= 18 && first <= 20 && second >= 10 && third < 10 ? first * 100 + second + third : undefined;
}

const NUMBER_WORD = [...VALUES.keys(), ...SCALES.keys()].join('|');
const ROW = new RegExp(`\\b(?:${NUMBER_WORD})(?:[\\s-]+(?:and\\s+)?(?:${NUMBER_WORD})){0,8}\\b`, 'gu');
const SMALL_NUMBER = `(\\d{1,4}|${NUMBER_WORD}|an?|one)`;
const toSmall = (text = ''): number => (/^\d/u.test(text) ? Number(text) : (VALUES.get(text) ?? 1));
const toHours = (hour: number, minutes: number): readonly number[] => [hour % 12, (hour % 12) + 12, hour, minutes];
/** An hour or a count, in figures or Chinese numerals. */
const HAN = '([\\d零〇一二两三四五六七八九十百千]{1,6})';
const toHan = (text = ''): number => (/^\d/u.test(text) ? Number(text) : (parseChineseNumeral(text) ?? 0));

/** What each turn of phrase stands for, besides the numbers that stand in it. */
const PHRASES: readonly (readonly [pattern: RegExp, toNumbers: (groups: readonly string[]) => readonly number[]])[] = [
  [new RegExp(`half past ${SMALL_NUMBER}`, 'gu'), ([hour]) => toHours(toSmall(hour), 30)],
  [new RegExp(`quarter past ${SMALL_NUMBER}`, 'gu'), ([hour]) => toHours(toSmall(hour), 15)],
  [new RegExp(`quarter to ${SMALL_NUMBER}`, 'gu'), ([hour]) => toHours(toSmall(hour) - 1, 45)],
  [
    new RegExp(`${SMALL_NUMBER} to ${SMALL_NUMBER}`, 'gu'),
    ([minutes, hour]) => toHours(toSmall(hour) - 1, 60 - toSmall(minutes)),
  ],
  [
    new RegExp(`${SMALL_NUMBER}(?: years?| months?| hours?| miles?| weeks?)? and a half`, 'gu'),
    ([count]) => [toSmall(count) + 0.5, (toSmall(count) + 0.5) * 12],
  ],
  [
    new RegExp(`${SMALL_NUMBER} and a half (hundred|thousand|grand|million|billion)`, 'gu'),
    ([count, scale = '']) => [(toSmall(count) + 0.5) * (SCALES.get(scale) ?? 1)],
  ],
  [
    // Of the day or of the evening: eight till eight.
    new RegExp(
      `\\b${SMALL_NUMBER} (?:till|until|to|pm|p\\.m\\.|o['’]clock|tonight|in the (?:afternoon|evening)|at night)`,
      'gu',
    ),
    ([hour]) => (toSmall(hour) <= 12 ? [toSmall(hour) + 12] : []),
  ],
  [new RegExp(`${SMALL_NUMBER} point ${SMALL_NUMBER}`, 'gu'), ([whole, part]) => [toSmall(whole) + toSmall(part) / 10]],
  [new RegExp(`${SMALL_NUMBER} dozen`, 'gu'), ([count]) => [toSmall(count) * 12]],
  [/['’‘](\d{2})\b/gu, ([year]) => [1900 + Number(year), 2000 + Number(year)]],
  [/(?<!\d)(\d{2})\s*年/gu, ([year]) => [1900 + Number(year), 2000 + Number(year)]],
  [
    /(?<![零〇一二三四五六七八九十])([零〇一二三四五六七八九]{2})年/gu,
    ([year]) => [1900 + toHan(year), 2000 + toHan(year)],
  ],
  [/\b(\d{2})s\b/gu, ([decade]) => [1900 + Number(decade)]],
  [/(\d{2})后/gu, ([decade]) => [1900 + Number(decade), 2000 + Number(decade)]],
  [new RegExp(`${HAN}\\s*点\\s*半`, 'gu'), ([hour]) => toHours(toHan(hour), 30)],
  [new RegExp(`${HAN}\\s*点\\s*一刻`, 'gu'), ([hour]) => toHours(toHan(hour), 15)],
  [new RegExp(`${HAN}\\s*点\\s*三刻`, 'gu'), ([hour]) => toHours(toHan(hour), 45)],
  [new RegExp(`差一刻${HAN}点`, 'gu'), ([hour]) => toHours(toHan(hour) - 1, 45)],
  [
    new RegExp(`${HAN}\\s*(?:个|年|天|小时|斤|公里|万|千)多?半`, 'gu'),
    ([count]) => [toHan(count) + 0.5, (toHan(count) + 0.5) * 10_000],
  ],
  [
    /(\d+(?:\.\d+)?)\s*([万亿千])/gu,
    ([count, unit]) => [Number(count) * (unit === '亿' ? 1e8 : unit === '万' ? 1e4 : 1e3)],
  ],
  [/(\d+)\s*万\s*(\d)(?!\d)/gu, ([count, more]) => [Number(count) * 1e4 + Number(more) * 1e3]],
  [
    new RegExp(`${HAN}\\s*万\\s*${HAN}(?![千百十万])`, 'gu'),
    ([count, more]) => [toHan(count) * 1e4 + toHan(more) * (toHan(more) < 10 ? 1e3 : 1)],
  ],
  [new RegExp(`百分之${HAN}`, 'gu'), ([share]) => [toHan(share)]],
  [/(\d{1,2}):(\d{2})/gu, ([hour, minutes]) => toHours(Number(hour), Number(minutes))],
  [/\bfortnight\b/gu, () => [2, 14]],
  [/\b(?:twins?|couple|pair)\b|双胞胎|龙凤胎/gu, () => [2]],
  [/\btriplets\b|三胞胎/gu, () => [3]],
  [/\ba third\b|三分之一/gu, () => [33, 3, 1]],
  [/\b(?:a|one) quarter\b|四分之一/gu, () => [25, 0.25]],
  [/\bhalf\b|一半/gu, () => [50]],
  [/\bhalf a year\b|半年/gu, () => [6, 0.5]],
  [/一年半/gu, () => [18, 1.5]],
  [/\b(?:a|one) year\b/gu, () => [12, 52, 365]],
  [/\bnoon\b|正午|中午/gu, () => [12]],
  [/\bmidnight\b|午夜|半夜/gu, () => [0, 24, 12]],
];

/** The numbers that words in a row and turns of phrase stand for: clock times, halves, years in words or short, 万 and 亿. */
export function readPhrases(text: string): readonly number[] {
  const spoken = [...text.matchAll(ROW)].flatMap(([row]) => {
    const words = row.split(/[\s-]+/u).filter((word) => word !== 'and');
    const year = toYear(words);
    return [toValue(words), ...(year === undefined ? [] : [year])];
  });
  const phrases = PHRASES.flatMap(([pattern, toNumbers]) =>
    [...text.matchAll(pattern)].flatMap(([, ...groups]) => toNumbers(groups)),
  );
  return [...spoken, ...phrases].filter(Number.isFinite);
}
