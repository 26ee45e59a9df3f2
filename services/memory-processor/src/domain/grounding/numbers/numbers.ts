import { parseChineseNumeral } from './chinese-numeral.ts';
import { joinMixedNumerals } from './mixed-numerals.ts';
import { readPhrases } from './number-phrases.ts';

/** Words in a row as the numbers that they stand for, from a first one in steps. */
function countUp(words: string, first: number, step: number): Readonly<Record<string, number>> {
  return Object.fromEntries(words.split(' ').map((word, at) => [word, first + at * step]));
}

const UNITS = countUp('zero one two three four five six seven eight nine ten eleven twelve', 0, 1);
const TEENS = countUp('thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 13, 1);
const ENGLISH: Readonly<Record<string, number>> = { ...UNITS, ...TEENS };
const TENS = countUp('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10);
const ORDINALS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  once: 1,
  twice: 2,
  thrice: 3,
  couple: 2,
  pair: 2,
  both: 2,
  dozen: 12,
  decade: 10,
  half: 0.5,
  single: 1,
  twentieth: 20,
  thirtieth: 30,
  fortieth: 40,
  fiftieth: 50,
};
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1_000,
  k: 1_000,
  grand: 1_000,
  million: 1_000_000,
  m: 1_000_000,
  billion: 1e9,
  百: 100,
  千: 1_000,
  万: 10_000,
  亿: 1e8,
};
const CHINESE_NUMERAL = /[零〇一二两三四五六七八九十百千万亿]+/gu;
/** Words that make a Chinese numeral before them a count, since 一 and 十 also stand in other words. */
const MEASURE =
  '岁|年|月|日|号|个|位|名|人|只|条|次|天|周|星期|礼拜|小时|钟头|点|分|秒|块|元|毛|斤|公斤|克|米|公里|里|本|张|件|杯|瓶|支|把|辆|套|间|层|楼|路|家|场|顿|趟|遍|口|颗|棵|朵|种|倍|成|度|页|集|章|节|班|年级|折|刻';

const toPlain = (digits: string): number => Number(digits.replace(/,(?=\d{3}(?!\d))/gu, ''));

/** Every number that a text may be said to hold, in digits or words: one row of digits may stand for several. */
export function readNumbers(text: string): ReadonlySet<number> {
  const plain = joinMixedNumerals(text.normalize('NFKC').toLowerCase());
  const found = new Set<number>();
  for (const { 0: digits, index } of plain.matchAll(/\d+(?:,\d{3})*(?:\.\d+)?/gu)) {
    const value = toPlain(digits);
    found.add(value);
    const scale = /^\s*(hundred|thousand|grand|million|billion|[km](?![a-z])|[百千万亿])/u.exec(
      plain.slice(index + digits.length),
    );
    if (scale?.[1] !== undefined) found.add(value * (SCALES[scale[1]] ?? 1));
    // 7 pm is 19:00.
    if (value <= 12) found.add(value + 12);
  }
  const words = plain.match(/[a-z]+/gu) ?? [];
  words.forEach((word, at) => {
    const [tens, units] = [TENS[word], ENGLISH[words[at + 1] ?? ''] ?? ORDINALS[words[at + 1] ?? '']];
    if (tens !== undefined) found.add(tens);
    if (tens !== undefined && units !== undefined && units < 10) found.add(tens + units);
    const value = ENGLISH[word] ?? ORDINALS[word] ?? (word === 'a' || word === 'an' ? 1 : undefined);
    if (value !== undefined) found.add(value);
    const scale = SCALES[words[at + 1] ?? ''];
    if (scale !== undefined && scale >= 100) found.add((value ?? tens ?? 1) * scale);
    const month =
      word.length < 3 ? -1 : MONTHS.findIndex((name) => name === word || (word.length <= 4 && name.startsWith(word)));
    if (month >= 0) found.add(month + 1);
  });
  for (const [numeral] of plain.matchAll(CHINESE_NUMERAL)) {
    const value = parseChineseNumeral(numeral);
    if (value !== undefined) found.add(value).add(value + 12);
    // 三千二一个月: the last one belongs to what comes after.
    const before = numeral.length > 2 && numeral.endsWith('一') ? parseChineseNumeral(numeral.slice(0, -1)) : undefined;
    if (before !== undefined) found.add(before);
  }
  for (const value of readPhrases(plain)) found.add(value);
  if (/半/u.test(plain)) found.add(0.5).add(30);
  if (/俩|[一这那每]双|[一这那每]对/u.test(plain)) found.add(2);
  return found;
}

const COUNT = new RegExp(
  `(?<![\\d.])(${CHINESE_NUMERAL.source})(?![零〇一二两三四五六七八九十百千万亿])(?=${MEASURE})`,
  'gu',
);
/** A Chinese numeral with a unit in it is a number with or without a measure: 一万九, 三百二. */
const SCALED =
  /(?<![\d.零〇一二两三四五六七八九十百千万亿])(?:[一二两三四五六七八九][十百千万亿]|十[一二三四五六七八九]?[万亿])[零〇一二两三四五六七八九十百千万亿]*/gu;
const SPELLED = new RegExp(`\\b(${[...Object.keys(ENGLISH).slice(2), ...Object.keys(TENS)].join('|')})\\b`, 'gu');

/** The numbers that a text states beyond doubt: digits, English number words from two, Chinese numerals before a measure. */
export function readStatedNumbers(text: string): readonly { readonly value: number; readonly text: string }[] {
  const plain = joinMixedNumerals(text.normalize('NFKC').toLowerCase());
  const digits = [
    // COVID-19 and F1 are names.
    ...plain.matchAll(
      /(?<![a-z]-?|[\d.])(\d+(?:,\d{3})*(?:\.\d+)?)(\s*(?:thousand|million|billion|k(?![a-z])|[千万亿]))?/gu,
    ),
  ].map(([shown, count = '', unit = '']) => ({ value: toPlain(count) * (SCALES[unit.trim()] ?? 1), text: shown }));
  const spelled = [...plain.matchAll(SPELLED)].map(([shown]) => ({
    value: ENGLISH[shown] ?? TENS[shown] ?? 0,
    text: shown,
  }));
  const numerals = new Map([...plain.matchAll(COUNT), ...plain.matchAll(SCALED)].map((one) => [one.index, one[0]]));
  const counted = [...numerals.values()].flatMap((shown) => {
    // 三千二一个月 has the one of the month with it.
    const value = /[千百]\S+一$/u.test(shown) ? parseChineseNumeral(shown.slice(0, -1)) : parseChineseNumeral(shown);
    return value === undefined || value < 2 ? [] : [{ value, text: shown }];
  });
  return [...digits, ...spelled, ...counted];
}

/** Numbers that count years: ages, and how long ago or how long from now something is. */
const YEAR_COUNTS =
  /\b([a-z]+(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?|\d{1,3})[\s-]*(?:years?|yrs?|y\/?o)\b|\b(?:turn(?:ed|ing|s)?|age[d]?|i(?:'|’)?a?m|am|was|is|(?:he|she|who)(?:'|’)?s|\p{Lu}\p{L}+(?:'|’)s)\s+(\d{1,3}|[a-z]+(?:[\s-][a-z]+)?)\b|([\d零〇一二两三四五六七八九十百]{1,4})\s*(?:多)?(?:岁|年|周岁)|我(?:今年)?(\d{1,3})(?!\d)|(?:[我都，,]|已经?|今年)([\d一二三四五六七八九十]{2,3})了/giu;

/** The counts of years in a text: ages, years ago, years to come. */
export function readYearCounts(text: string): readonly number[] {
  return [...text.normalize('NFKC').matchAll(YEAR_COUNTS)].flatMap(([, ...groups]) =>
    [...readNumbers(groups.find((group) => group !== undefined) ?? '')].filter((count) => count > 0 && count <= 120),
  );
}
