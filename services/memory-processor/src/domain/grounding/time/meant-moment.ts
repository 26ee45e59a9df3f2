import { findCalendarTimes, type Moment, parseMoment, toWallDate } from '@contextloom/retrieval/time';
import { readNumbers } from '../numbers/numbers.ts';
import { isMeant, readDates, type TimeUnit, toMeantTimes } from './time-words.ts';

/** When something happened, as exactly as it was said. */
export interface MeantMoment {
  /** The day, or the first day of the month or year. */
  readonly at: Moment;
  /** The month or the year, `2025-03` or `2025`, where no day was said. */
  readonly on?: string;
}

const DAY = 86_400_000;
/** The first of a month, which models write for the month as well: `one` and `first` alone say something else. */
const FIRST = /\b1st\b|\b(?:the first of|on the first)\b|(?<![\d.])0?1\/|\/0?1(?!\d)|(?<!\d)[1一]\s*[号號日]|初一/iu;

/** Whether a text may tell the day of the month, in figures or in words. */
function saysDay(text: string, day: number): boolean {
  const isNamed = findCalendarTimes(text).some((time) => time.day === day);
  return isNamed || (day === 1 ? FIRST.test(text) : readNumbers(text).has(day));
}

/** How exactly the dates of a text tell a day that is among them. */
function toNamedUnits(text: string, at: number, years: readonly number[]): readonly TimeUnit[] {
  const named = years.flatMap((year) => readDates(text, year)).filter(({ from, to }) => at >= from && at <= to);
  return named.map(({ from, to }) => {
    if (to - from < DAY) return 'day';
    return to - from < 31 * DAY ? 'month' : 'year';
  });
}

/** How exactly a text tells a day; the day, where nothing in it tells the month or the year either. */
function toSaidUnit(text: string, day: Moment, saidOn: Moment | undefined): TimeUnit {
  const date = toWallDate(day);
  const at = Date.parse(date);
  const year = Number((saidOn ?? day).slice(0, 4));
  const meant = saidOn === undefined ? [] : toMeantTimes(text, saidOn, { isToday: false });
  const units = [
    ...toNamedUnits(text, at, [year - 1, year, year + 1]),
    ...meant.filter((one) => isMeant({ from: at, to: at }, [one])).map(({ unit }) => unit),
  ];
  const isOwnDay = saidOn !== undefined && toWallDate(saidOn) === date;
  if (units.length === 0 || isOwnDay || units.includes('day') || saysDay(text, Number(date.slice(8, 10)))) return 'day';
  return units.includes('month') ? 'month' : 'year';
}

/**
 * When something happened, if what was said can mean it; else undefined, and the day of the conversation stands. A day that
 * nobody said becomes the month or the year that was said.
 * @param written as the model wrote it: `2025-03-04`, `2025-03` or `2025`
 * @param saidOn the day of the conversation
 */
export function toMeantMoment(
  written: string | undefined,
  evidence: string,
  saidOn: Moment | undefined,
): MeantMoment | undefined {
  const day = written === undefined ? undefined : parseMoment(toFullDate(written));
  if (written === undefined || day === undefined) return undefined;
  const at = Date.parse(toWallDate(day));
  const isNamed = toNamedUnits(evidence, at, [Number((saidOn ?? day).slice(0, 4))]).length > 0;
  if (!isNamed && (saidOn === undefined || !isMeant({ from: at, to: at }, toMeantTimes(evidence, saidOn)))) {
    return undefined;
  }
  const unit = toSaidUnit(evidence, day, saidOn);
  const short = toMonthOrYear(written);
  const said = unit === 'day' ? undefined : toWallDate(day).slice(0, unit === 'month' ? 7 : 4);
  const on = [short, said].filter((one) => one !== undefined).sort((a, b) => a.length - b.length)[0];
  return on === undefined ? { at: day } : { at: parseMoment(toFullDate(on)) ?? day, on };
}

/** The month or year that a text is, `2023-05` or `2023`; undefined for a day and anything else. */
function toMonthOrYear(text: string): string | undefined {
  const [, year, month] = /^(\d{4})(?:-(\d{1,2}))?$/u.exec(text) ?? [];
  return month === undefined ? year : `${year}-${month.padStart(2, '0')}`;
}

/** `2023` and `2023-05` as their first day. */
function toFullDate(text: string): string {
  const short = toMonthOrYear(text);
  return short === undefined ? text : `${short}${'-01'.repeat(short.length === 4 ? 2 : 1)}`;
}
