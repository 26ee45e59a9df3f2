import { chineseNumeral, fromChineseNumeral } from './numerals.ts';
import { type At, type Reader, readAll, toReadable } from './text-positions.ts';

/** A time of the calendar: months of the year (1 to 12, in their order), a day of the one month, a year, as far as the text names them. */
export interface CalendarTime {
  readonly months?: readonly number[];
  readonly day?: number;
  readonly year?: number;
}

/** The English names of the months, in lower case. */
export const monthNames = 'january february march april may june july august september october november december'.split(
  ' ',
);

const month = `(${monthNames.join('|')})`;
const clearMonth = `(${monthNames.filter((name) => name !== 'march' && name !== 'may').join('|')})`;
const year = '(\\d{4})';

/** The months of the seasons, of the northern half of the earth, where both languages come from. */
export const seasons: Readonly<Record<string, readonly number[]>> = {
  spring: [3, 4, 5],
  summer: [6, 7, 8],
  autumn: [9, 10, 11],
  fall: [9, 10, 11],
  winter: [12, 1, 2],
  春: [3, 4, 5],
  夏: [6, 7, 8],
  秋: [9, 10, 11],
  冬: [12, 1, 2],
};

/** The number of an English month, 1 to 12, by its first three letters; 0 for no month. */
export function toMonthNumber(name: string): number {
  const start = name.slice(0, 3).toLowerCase();
  return monthNames.findIndex((month) => month.slice(0, 3) === start) + 1;
}

const toYear = (text: string | undefined) => (text === undefined ? {} : { year: Number(text) });

/** The time if it can be. */
function toReal(time: CalendarTime): CalendarTime | undefined {
  const { months = [], day = 1 } = time;
  return months.every((one) => one >= 1 && one <= 12) && day >= 1 && day <= 31 ? time : undefined;
}

const inMonth = (name: string | undefined, inYear: string | undefined, day?: string) =>
  toReal({ months: [toMonthNumber(name ?? '')], ...toYear(inYear), ...(day !== undefined && { day: Number(day) }) });

/** What says that `may`, `march`, a season or a number that could be a year is a time. */
const before =
  '(?:in|of|by|on|since|until|till|from|to|during|before|after|between|and|or|last|this|next|early|late|mid)';

/** The first that fits tells what a place in the text is. */
const readers: readonly Reader<CalendarTime>[] = [
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}\\b(?:,? ${year}\\b)?`, 'giu'),
    ([day, name, inYear]) => inMonth(name, inYear, day),
  ],
  [
    new RegExp(`\\b${month} (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? ${year}\\b)?`, 'giu'),
    ([name, day, inYear]) => inMonth(name, inYear, day),
  ],
  [new RegExp(`\\b${month},? ${year}\\b`, 'giu'), ([name, inYear]) => inMonth(name, inYear)],
  [
    new RegExp(`\\b${before} (?:the )?(may|march)\\b|\\b${clearMonth}\\b`, 'giu'),
    ([unclear, clear]) => inMonth(unclear ?? clear, undefined),
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
      `(?:${year}年)?(?<![个\\d一二两三四五六七八九十])(${chineseNumeral})月(?:份|(${chineseNumeral})[号日])?(?![饼亮子])`,
      'gu',
    ),
    ([inYear, name = '', day]) =>
      toReal({
        months: [fromChineseNumeral(name)],
        ...toYear(inYear),
        ...(day !== undefined && { day: fromChineseNumeral(day) }),
      }),
  ],
  [
    new RegExp(`(?:${year}年)?([春夏秋冬])[天季]`, 'gu'),
    ([inYear, name = '']) => ({ months: seasons[name] ?? [], ...toYear(inYear) }),
  ],
  [/\b(?:in|of|since|during) ((?:19|20)\d\d)\b/giu, ([inYear]) => toYear(inYear)],
  [new RegExp(`${year}年`, 'gu'), ([inYear]) => toYear(inYear)],
];

/**
 * The months, seasons, days and years that a text names in English or Chinese, such as `on 8 May 2024`, `last summer`, `五月`,
 * as far as the text names them: no year is guessed.
 */
export function findCalendarTimes(text: string): readonly At<CalendarTime>[] {
  return readAll(toReadable(text), readers).found;
}
