import { readNumbers, readYearCounts } from './numbers.ts';

/** Units of time, by what they are compared as. */
const UNITS: readonly (readonly [unit: string, words: string])[] = [
  ['age', 'years?[ -]old|yrs? old|岁'],
  ['year', 'years?|yrs?|年'],
  ['month', 'months?|个?多?月'],
  ['week', 'weeks?|个?多?(?:周|星期|礼拜)'],
  ['day', 'days?|天'],
  ['hour', 'hours?|hrs?|个?多?(?:小时|钟头)'],
  ['minute', 'minutes?|mins?|分钟'],
];
const COUNTED = UNITS.map(([unit, words]): [string, RegExp] => [
  unit,
  new RegExp(`(\\d{1,3}|\\b[a-z]{3,9}|[一二两三四五六七八九十]{1,3})[\\s-]?(?:${words})(?![a-z])`, 'giu'),
]);

/** A number and the unit of time that it counts. */
interface Measure {
  readonly value: number;
  readonly unit: string;
  readonly text: string;
}

function readMeasures(text: string): readonly Measure[] {
  return COUNTED.flatMap(([unit, pattern]) =>
    [...text.matchAll(pattern)].flatMap(([shown, word = '']) => {
      const [value] = readNumbers(word);
      return value === undefined || value < 2 ? [] : [{ value, unit, text: shown }];
    }),
  );
}

/** A turn that begins with a number alone. */
const BARE_ANSWER = /^[^\n:：]{1,80}[:：]\s*([a-z]{3,9}|\d{1,3}|[一二三四五六七八九十]{1,3})[.。,，!！]/imu;

const isAge = (unit: string): boolean => unit === 'age' || unit === 'year';

/** An age of a fact where only other ages were said. */
function findStrangeAge(content: string, said: string): string | undefined {
  const ages = readMeasures(content).filter(({ unit }) => unit === 'age');
  const stated = readYearCounts(said);
  // A year that was said may tell the age.
  if (stated.length === 0 || /\b(?:19|20)\d\d\b|['’‘]\d\d\b|\d\d年/u.test(said)) return undefined;
  // A number by itself may answer how old somebody is.
  const [, answer = ''] = BARE_ANSWER.exec(said) ?? [];
  const known = [...stated, ...readNumbers(answer)];
  return ages.find(({ value }) => !known.includes(value))?.text;
}

/** An age at which something began; and how long it has been. */
const BEGAN_AT =
  /\b(?:since|when|at|until)\s+(?:i|he|she|they|we)(?:\s+(?:was|were|turned)|(?:'|’)s)\s+(\d{1,3}|[a-z]{3,9})\b|(\d{1,3}|[一二三四五六七八九十]{1,3})岁/giu;
const LASTED =
  /\bfor\s+(?:the (?:last|past)\s+)?(\d{1,3}|[a-z]{3,9})\s+years\b|(\d{1,3}|[一二三四五六七八九十]{1,3})年(?:了|来|之久)/giu;

/** How long a fact tells that something has been, where that number was the age at which it began. */
function findAgeAsTime(content: string, said: string): string | undefined {
  const read = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].flatMap(([shown, ...words]) => {
      const [value] = readNumbers(words.find((word) => word !== undefined) ?? '');
      return value === undefined ? [] : [{ value, shown }];
    });
  const ages = read(said, BEGAN_AT).map(({ value }) => value);
  const counted = readMeasures(said).filter(({ unit }) => unit === 'year');
  return read(content, LASTED).find(({ value }) => ages.includes(value) && !counted.some((one) => one.value === value))
    ?.shown;
}

/** A number of a fact that was said of another unit of time alone: three months where three weeks were said. */
export function findStrangeMeasure(content: string, said: string): string | undefined {
  const stated = readMeasures(said);
  const rest = readNumbers(stated.reduce((text, { text: shown }) => text.replaceAll(shown, ' '), said));
  const strange = readMeasures(content).find(({ value, unit }) => {
    const same = stated.filter((one) => one.value === value);
    const isSame = same.some((one) => one.unit === unit || (isAge(unit) && isAge(one.unit)));
    return same.length > 0 && !isSame && !rest.has(value);
  });
  return strange?.text ?? findStrangeAge(content, said) ?? findAgeAsTime(content, said);
}
