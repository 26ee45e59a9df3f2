import type { DayOrder } from '../reader.ts';
import { toPlainDigits } from '../text/plain-digits.ts';
import { toHour, toWall } from '../text/wall-time.ts';

/** Marks of direction, which some languages put into dates and names. */
export const MARKS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const HALF = '(?<half>凌晨|早上|上午|中午|下午|傍晚|晚上|오전|오후|午前|午後)?';
const CLOCK = String.raw`${HALF}\s?(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.](?<second>\d{2}))?(?:\s?(?<ap>[ap])\.?\s?m\.?)?`;
const DAY = String.raw`(?<a>\d{1,5})(?<mark>[./-])(?<b>\d{1,2})\k<mark>(?<c>\d{1,5})`;
/** What languages write between a day and a time. */
const BETWEEN = String.raw`(?:[,،]|\s(?:à|um|at|às|a las|kl\.?|klo|om|г\.,?))?\s`;
/** `[12/05/2023, 14:03:22] …` of iOS, `12/05/23, 2:03 pm - …` of Android, and `12/05/23, 14:03:22: …` of older versions of iOS. */
const STAMP = new RegExp(String.raw`^\[?${DAY}${BETWEEN}${CLOCK}$`, 'iu');
/** What ends a stamp. */
const ENDS = /\]\s|\s[-–]\s|:\s/u;

/** A stamp is no longer than this, in characters. */
const MAX_STAMP = 56;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The halves of the day in languages that do not write am and pm. */
const HALVES: readonly (readonly [RegExp, string])[] = [
  [/\s(?:م|ب\.ظ\.?|بعدازظهر|μ\.?\s?μ\.?|अपराह्न|PTG|CH)$/u, ' pm'],
  [/\s(?:ص|ق\.ظ\.?|قبل‌ازظهر|π\.?\s?μ\.?|पूर्वाह्न|PG|SA)$/u, ' am'],
];

/** A stamp as in English: its digits, halves of the day and named months; the day before the time; days without blanks. */
function toPlainStamp(stamp: string): string {
  const digits = toPlainDigits(stamp.replace(MARKS, ''));
  return HALVES.reduce((text, [half, plain]) => text.replace(half, plain), digits)
    .replace(/\sч\.$/u, '')
    .replace(/(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]\s?/u, '$1/$2/$3 ')
    .replace(/(\d{1,4})\. (\d{1,2})\. (\d{1,4})\.?(?=[,\s])/u, '$1.$2.$3')
    .replace(/(\d{1,2}) ([a-z]{3})[a-z]* (\d{4})/iu, (all, day: string, name: string, year: string) => {
      const month = MONTHS.indexOf(name.toLowerCase()) + 1;
      return month === 0 ? all : `${year}/${month}/${day}`;
    })
    .replace(/^(\[?)(\d{1,2}:\d{2}(?:\s[ap]m)?),? (\d{1,4}[./-]\d{1,2}[./-]\d{1,4})$/iu, '$1$3 $2');
}

/** The parts of a stamp as they stand there, and what follows it. */
export type StampGroups = Readonly<Record<string, string | undefined>>;

/** A line that begins with a stamp. */
export interface StampedLine {
  readonly stamp: StampGroups;
  /** What follows the stamp. */
  readonly rest: string;
  /** Whether it says AM or PM in capitals, as only English of the United States does. */
  readonly isAmerican: boolean;
}

/** Reads the stamp that a message begins with; undefined for a line that begins with none. */
export function readStamp(line: string): StampedLine | undefined {
  if (!/^[[\u200e\u200f\u061c\u202a-\u202e\ufeff\p{Nd}]/u.test(line)) return undefined;
  const start = line.slice(0, MAX_STAMP);
  const end = ENDS.exec(start);
  if (end === null) return undefined;
  const isBracketed = start.replace(MARKS, '').startsWith('[');
  if (isBracketed !== end[0].startsWith(']')) return undefined;
  const stamp = STAMP.exec(toPlainStamp(start.slice(0, end.index)))?.groups;
  if (stamp === undefined) return undefined;
  return {
    stamp,
    rest: line.slice(end.index + end[0].length),
    isAmerican: /\d\s?[AP]M$/u.test(start.slice(0, end.index)),
  };
}

/** A year of two digits is of this century; Thailand's calendar is 543 years ahead. */
function toYear(text: string | undefined): number {
  const year = Number(text);
  if ((text ?? '').length <= 2) return 2000 + year;
  return year > 2400 && year < 2700 ? year - 543 : year;
}

/** The three numbers of a date in one of the orders. */
function toDay({ a, b, c }: StampGroups, order: DayOrder): { year: number; month: number; day: number } {
  const [first, second, third] = [Number(a), Number(b), Number(c)];
  if (order === 'year-first') return { year: toYear(a), month: second, day: third };
  const year = toYear(c);
  return order === 'day-first' ? { year, month: second, day: first } : { year, month: first, day: second };
}

/** The time that a stamp tells by the clock on the wall; undefined when there is no such day or time. */
export function toStampTime(stamp: StampGroups, order: DayOrder): string | undefined {
  return toWall({
    ...toDay(stamp, order),
    hour: toHour(Number(stamp['hour']), stamp['half'] ?? stamp['ap']),
    minute: Number(stamp['minute']),
    second: Number(stamp['second'] ?? 0),
  });
}
