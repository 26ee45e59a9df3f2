import { simplify } from '@contextloom/retrieval';
import { TIMES } from './tuning.ts';

/** A time that a query names: months of the year from 0, a day of the one month, a year, as far as it names them. */
export interface NamedTime {
  readonly months?: readonly number[];
  readonly day?: number;
  readonly year?: number;
}

const english = 'january february march april may june july august september october november december'.split(' ');
const month = `(${english.join('|')})`;
const numeral = '[一二三四五六七八九十]{1,3}|\\d{1,2}';
const year = '(\\d{4})';

/** Of the northern half of the earth, where both languages come from. */
const seasons: Readonly<Record<string, readonly number[]>> = {
  ...{ spring: [2, 3, 4], summer: [5, 6, 7], autumn: [8, 9, 10], fall: [8, 9, 10], winter: [11, 0, 1] },
  ...{ 春: [2, 3, 4], 夏: [5, 6, 7], 秋: [8, 9, 10], 冬: [11, 0, 1] },
};

/** Chinese and Arabic numerals up to 31: `十五`, `15`. */
function toNumber(text: string): number {
  const [tens, ones] = /^(.?)十(.?)$/u.exec(text)?.slice(1) ?? ['', text];
  const digit = (one: string | undefined, none: number) => (one ? '零一二三四五六七八九'.indexOf(one) : none);
  if (/^\d+$/.test(text)) return Number(text);
  return /十/u.test(text) ? 10 * digit(tens, 1) + digit(ones, 0) : digit(ones, -1);
}

const toMonth = (name: string | undefined): number => english.indexOf((name ?? '').toLowerCase());
const toYear = (text: string | undefined) => (text === undefined ? {} : { year: Number(text) });

/** What says that `may`, `march`, a season or a number that could be a year is a time. */
const before =
  '(?:in|of|by|on|since|until|till|from|to|during|before|after|between|and|or|last|this|next|early|late|mid)';

type Reader = readonly [pattern: RegExp, read: (groups: readonly (string | undefined)[]) => NamedTime];

/** The first that fits tells what a stretch of the query is. */
const readers: readonly Reader[] = [
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}\\b(?:,? ${year}\\b)?`, 'giu'),
    ([day, name, inYear]) => ({ months: [toMonth(name)], day: Number(day), ...toYear(inYear) }),
  ],
  [
    new RegExp(`\\b${month} (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? ${year}\\b)?`, 'giu'),
    ([name, day, inYear]) => ({ months: [toMonth(name)], day: Number(day), ...toYear(inYear) }),
  ],
  [new RegExp(`\\b${month},? ${year}\\b`, 'giu'), ([name, inYear]) => ({ months: [toMonth(name)], ...toYear(inYear) })],
  [
    new RegExp(`\\b${before} (?:the )?(may|march)\\b|\\b${month.replace('march|', '').replace('may|', '')}\\b`, 'giu'),
    ([unclear, clear]) => ({ months: [toMonth(unclear ?? clear)] }),
  ],
  [
    new RegExp(
      `\\b(?:this|over|${before}) (?:the )?(spring|summer|autumn|fall|winter)\\b(?: (?:of )?${year}\\b)?`,
      'giu',
    ),
    ([name = '', inYear]) => ({ months: seasons[name.toLowerCase()] ?? [], ...toYear(inYear) }),
  ],
  [
    new RegExp(
      `(?:${year}年)?(?<![个\\d一二三四五六七八九十])(${numeral})月(?:份|(${numeral})[号日])?(?![饼亮子])`,
      'gu',
    ),
    ([inYear, name = '', day]) => ({
      ...{ months: [toNumber(name) - 1], ...toYear(inYear) },
      ...(day !== undefined && { day: toNumber(day) }),
    }),
  ],
  [
    new RegExp(`(?:${year}年)?([春夏秋冬])[天季]`, 'gu'),
    ([inYear, name = '']) => ({ months: seasons[name] ?? [], ...toYear(inYear) }),
  ],
  [/\b(?:in|of|since|during) ((?:19|20)\d\d)\b/giu, ([inYear]) => toYear(inYear)],
  [new RegExp(`${year}年`, 'gu'), ([inYear]) => toYear(inYear)],
];

/** Queries are short; in a pasted page no time is the one that was meant. */
const MAX_LENGTH = 1_000;

const isReal = ({ months = [], day = 1 }: NamedTime): boolean =>
  months.every((one) => one >= 0 && one < english.length) && day >= 1 && day <= 31;

/**
 * The months, seasons, days and years that a query names in English or Chinese, such as `on 8 May 2024`, `last summer`, `五月`.
 */
export function findNamedTimes(query: string): readonly NamedTime[] {
  if (query.length > MAX_LENGTH) return [];
  let rest = simplify(query);
  return readers.flatMap(([pattern, read]) => {
    const found = [...rest.matchAll(pattern)].map(([, ...groups]) => read(groups));
    rest = rest.replace(pattern, ' ');
    return found.filter(isReal);
  });
}

const MS_PER_DAY = 86_400_000;

function isNear(at: Date, { months = [], day = 1, year: named = at.getUTCFullYear() }: NamedTime): boolean {
  const days = (at.getTime() - Date.UTC(named, months[0] ?? 0, day)) / MS_PER_DAY;
  return days >= -TIMES.daysBefore && days <= TIMES.daysAfter;
}

/**
 * What the relevance of a document is multiplied by that happened at a time (epoch milliseconds), for the times that were
 * named.
 */
export function weighTime(named: readonly NamedTime[], time: number): number {
  const at = new Date(time);
  const isWithin = named.some(
    ({ months, year: inYear }) =>
      (months?.includes(at.getUTCMonth()) ?? true) && (inYear === undefined || inYear === at.getUTCFullYear()),
  );
  const isNearDay = named.some((one) => one.day !== undefined && isNear(at, one));
  return (isWithin ? 1 + TIMES.period : 1) * (isNearDay ? 1 + TIMES.day : 1);
}
