import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { casual as english } from 'chrono-node/en';
import { casual as chinese } from 'chrono-node/zh/hans';
import { DateTime } from 'luxon';
import { splitSentences } from '../text/split-sentences.ts';
import { type CalendarTime, findCalendarTimes } from './calendar-times.ts';
import { createRelativeReaders } from './relative-times.ts';
import { createTimeReaders } from './stated-times.ts';
import { type At, readAll, toReadable } from './text-positions.ts';
import { type TimeRange, toDayRange, toMonthRange, toUnitRange } from './time-range.ts';

/** A range that a text names, with the words that name it and where they begin, in UTF-16 code units. */
export type FoundTime = At<TimeRange>;

/** How a text is read. */
export interface FindTimesOptions {
  /** When the text was said or written: relative words count from this day. */
  readonly reference: Date;
  /** Where days, weeks, months and years begin: an IANA time zone, default `UTC`. */
  readonly zone?: string | undefined;
}

/** How much of a text is read, and at a time: the expressions take quadratic time over some sentences. */
const MAX_LENGTH = 20_000;
const MAX_SENTENCE = 400;

interface Said {
  readonly said: DateTime;
  readonly zone: string;
}

/** The sentences of a text with where they begin, long ones in parts. */
function toParts(text: string): readonly { readonly part: string; readonly offset: number }[] {
  let offset = 0;
  return splitSentences(text).flatMap((sentence) => {
    const start = offset;
    offset += sentence.length;
    return Array.from({ length: Math.ceil(sentence.length / MAX_SENTENCE) }, (_, at) => ({
      part: sentence.slice(at * MAX_SENTENCE, (at + 1) * MAX_SENTENCE),
      offset: start + at * MAX_SENTENCE,
    }));
  });
}

/** Words that chrono takes for days, and which are far oftener something else. */
const isUnlikely = ({ text }: ParsedResult): boolean => /^(?:mon|tue|wed|thu|fri|sat|sun|now|march|may)$/i.test(text);

/** Whether it names a day: times of a day and months alone are not read here. */
function tellsDay(components: ParsedComponents): boolean {
  const isNamed = components.isCertain('day') || components.isCertain('weekday');
  return isNamed || [...components.tags()].some((tag) => tag.startsWith('casualReference/'));
}

const pointsAhead = /\b(?:next|coming|this)\b|[下这本]/iu;

/** The day, and if its year or week is chrono's guess, the latest one that has begun. */
function toDay(components: ParsedComponents, text: string, { said, zone }: Said): DateTime | undefined {
  const [year, month, day] = [components.get('year'), components.get('month'), components.get('day')];
  const at = DateTime.fromObject({ year: year ?? said.year, month: month ?? 1, day: day ?? 1 }, { zone });
  if (!at.isValid) return undefined;
  if (at <= said || pointsAhead.test(text)) return at;
  if (components.isCertain('weekday') && !components.isCertain('day')) return at.minus({ weeks: 1 });
  return components.isCertain('month') && !components.isCertain('year') ? at.minus({ years: 1 }) : at;
}

function fromChrono(result: ParsedResult, when: Said): TimeRange | undefined {
  if (isUnlikely(result) || !tellsDay(result.start)) return undefined;
  const first = toDay(result.start, result.text, when);
  const last = result.end && tellsDay(result.end) ? toDay(result.end, result.text, when) : first;
  if (first === undefined || last === undefined) return undefined;
  return toUnitRange(first, 'day', last < first ? first : last);
}

/** Reads the days that chrono finds, in English and in simplified Chinese. */
function readDays(text: string, when: Said): { readonly found: readonly FoundTime[]; readonly rest: string } {
  // In the zone of the process, since some of chrono's parsers know no other; noon is a time that every day has.
  const reference = new Date(when.said.year, when.said.month - 1, when.said.day, 12);
  const found: FoundTime[] = [];
  let rest = text;
  for (const [chrono, script] of [
    [english, /[a-z\d]/i],
    [chinese, /\p{Script=Han}/u],
  ] as const) {
    for (const { part, offset } of toParts(rest)) {
      if (!script.test(part)) continue;
      for (const result of chrono.parse(part, reference)) {
        const range = fromChrono(result, when);
        if (range === undefined) continue;
        const index = offset + result.index;
        found.push({ ...range, index, text: result.text });
        const end = index + result.text.length;
        rest = rest.slice(0, index) + '\u0000'.repeat(end - index) + rest.slice(end);
      }
    }
  }
  return { found, rest };
}

/** A time of the calendar as a range: without a year, the latest one that has begun. */
function toRange({ months = [], day, year }: CalendarTime, { said, zone }: Said): TimeRange | undefined {
  const [first] = months;
  if (first === undefined) return year === undefined ? undefined : toMonthRange(year, 1, 12, zone);
  const inYear = (one: number): TimeRange | undefined =>
    day === undefined ? toMonthRange(one, first, months.length, zone) : toDayRange(one, first, day, zone);
  if (year !== undefined) return inYear(year);
  // The 29th of February may be years ago.
  const years = Array.from({ length: 9 }, (_, ago) => inYear(said.year - ago));
  return years.find((range) => range !== undefined && range.from <= said.toMillis());
}

/**
 * The times that a text names in English or Chinese, in the order of the text, as half-open ranges no shorter than a day: `last
 * summer`, `in March`, `two weeks ago`, `on 8 May 2024`, `上周三`, `去年夏天`, `三天前`. Relative words count from `reference`,
 * never from the clock; what could be past or to come, such as `in March`, is taken for the latest one that has begun.
 */
export function findTimes(text: string, { reference, zone = 'UTC' }: FindTimesOptions): readonly FoundTime[] {
  const said = DateTime.fromJSDate(reference, { zone });
  if (!said.isValid) return [];
  const when = { said, zone };
  const relative = readAll(toReadable(text.slice(0, MAX_LENGTH)), [
    ...createRelativeReaders(said),
    ...createTimeReaders(said, text.slice(0, MAX_LENGTH)),
  ]);
  const days = readDays(relative.rest, when);
  const calendar = findCalendarTimes(days.rest).flatMap(({ index, text: named, ...time }) => {
    const range = toRange(time, when);
    return range === undefined ? [] : [{ ...range, index, text: named }];
  });
  return [...relative.found, ...days.found, ...calendar]
    .map((found) => ({ ...found, text: text.slice(found.index, found.index + found.text.length) }))
    .sort((a, b) => a.index - b.index);
}
