import { DateTime, type DurationLike } from 'luxon';
import { findTimes } from './find-times.ts';
import { toReadable } from './text-positions.ts';
import { type CalendarUnit, type TimeRange, toUnitRange } from './time-range.ts';

/** What an expression is read against. */
export interface TimeRangeOptions {
  /** The present moment: `today` and `last_week` count from it. */
  readonly now: Date;
  /** Where days, weeks, months and years begin: an IANA time zone, default `UTC`. */
  readonly zone?: string | undefined;
}

/** One example of each form that {@link parseTimeRange} understands, for messages and descriptions. */
export const TIME_RANGE_FORMS: readonly string[] = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'last_month',
  'last_year',
  'last_7_days',
  '2024',
  '2024-Q2',
  '2024-01',
  '2024-W03',
  '2024-01-15',
  '2024-01-15T09:30:00Z',
  '2024-01..2024-03',
  '2024-01..',
  '..2024-03',
  'last summer',
  '昨天',
  '上周',
  '最近7天',
  '去年',
  '2024年3月',
];

/** What `last_<unit>` goes back by, as a fixed number of days. */
const trailingDays: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };
const days: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 };
const offsets: Readonly<Record<string, number>> = { this: 0, next: 1 };

type Read = (groups: Readonly<Record<string, string | undefined>>, now: DateTime) => TimeRange | undefined;

/** From so many days ago to now, which is in it: what was just written is found. */
function toTrailing(now: DateTime, count: number): TimeRange {
  return { from: now.minus({ days: count }).toMillis(), to: now.toMillis() + 1 };
}

function toUnits(at: DateTime, unit: CalendarUnit): TimeRange | undefined {
  return at.isValid ? toUnitRange(at, unit) : undefined;
}

const iso =
  (unit: CalendarUnit): Read =>
  ({ text = '' }, { zone }) =>
    toUnits(DateTime.fromISO(text, { zone }), unit);

/** The smallest part that an instant gives. */
function precisionOf(text: string): DurationLike {
  if (/[.,]\d/.test(text)) return { milliseconds: 1 };
  return /\d:\d\d:\d\d/.test(text) ? { seconds: 1 } : { minutes: 1 };
}

const keywords: readonly (readonly [pattern: RegExp, read: Read])[] = [
  [
    /^(?<day>today|yesterday|tomorrow)$/i,
    ({ day = '' }, now) => toUnits(now.plus({ days: days[day.toLowerCase()] ?? 0 }), 'day'),
  ],
  [
    /^last_(?:(?<count>\d{1,4})_)?(?<unit>day|week|month|year)s?$/i,
    ({ count = '1', unit = '' }, now) => {
      const length = Number(count) * (trailingDays[unit.toLowerCase()] ?? 0);
      return length === 0 ? undefined : toTrailing(now, length);
    },
  ],
  [
    /^(?<word>this|next)_(?<unit>week|month|quarter|year)$/i,
    ({ word = '', unit = '' }, now) => {
      const calendarUnit = unit.toLowerCase() as CalendarUnit;
      return toUnits(now.plus({ [calendarUnit]: offsets[word.toLowerCase()] ?? 0 }), calendarUnit);
    },
  ],
  [/^(?<text>\d{4})$/, iso('year')],
  [/^(?<text>\d{4}-\d{2})$/, iso('month')],
  [/^(?<text>\d{4}-\d{2}-\d{2})$/, iso('day')],
  [/^(?<text>\d{4}-W\d{2})$/i, ({ text = '' }, now) => iso('week')({ text: text.toUpperCase() }, now)],
  [
    /^(?<year>\d{4})-?Q(?<quarter>[1-4])$/i,
    ({ year, quarter }, { zone }) =>
      toUnits(DateTime.fromObject({ year: Number(year), month: 3 * Number(quarter) - 2 }, { zone }), 'quarter'),
  ],
];

/** A point of the time line: a moment with a time of day. */
const instant = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?$/i;

function readInstant(text: string, now: DateTime): TimeRange | undefined {
  const at = DateTime.fromISO(text.replace(' ', 'T').toUpperCase(), { zone: now.zone });
  if (!at.isValid) return undefined;
  return { from: at.toMillis(), to: at.plus(precisionOf(text)).toMillis() };
}

/** The range that a whole text names in words, such as `last summer` or `summer 2023`. */
function readWords(text: string, now: DateTime): TimeRange | undefined {
  for (const phrase of [text, `in ${text}`]) {
    const [found, ...others] = findTimes(phrase, { reference: now.toJSDate(), zone: now.zoneName ?? 'UTC' });
    const isWhole = found?.text.length === phrase.length || found?.text === text;
    if (found !== undefined && isWhole && others.length === 0) return { from: found.from, to: found.to };
  }
  return undefined;
}

function readSingle(text: string, now: DateTime): TimeRange | undefined {
  for (const [pattern, read] of keywords) {
    const groups = pattern.exec(text)?.groups;
    if (groups !== undefined) return read(groups, now);
  }
  return instant.test(text) ? readInstant(text, now) : readWords(text, now);
}

/** `a..b`, of which one may be missing: a period on the right is included whole, a moment there is not. */
function readBetween(left: string, right: string, now: DateTime): TimeRange | undefined {
  if (left === '' && right === '') return undefined;
  const from = left === '' ? Number.NEGATIVE_INFINITY : readSingle(left, now)?.from;
  const end = right === '' ? undefined : readSingle(right, now);
  const to = right === '' ? Number.POSITIVE_INFINITY : instant.test(right) ? end?.from : end?.to;
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
}

/** No expression is longer. */
const MAX_LENGTH = 100;

/**
 * Reads an expression for a stretch of time as a half-open range of epoch milliseconds; see {@link TIME_RANGE_FORMS}.
 * `last_week`, `last_month`, `last_year` and `last_7_days` go back 7, 30, 365 and 7 days from now, which is in them; `this_…`,
 * dates and words such as `last week` and `上周` are whole periods of the calendar in the zone.
 * @returns undefined for any other text, and for ranges that end before they begin
 */
export function parseTimeRange(text: string, { now, zone = 'UTC' }: TimeRangeOptions): TimeRange | undefined {
  const present = DateTime.fromJSDate(now, { zone });
  const expression = toReadable(text).trim();
  if (expression === '' || expression.length > MAX_LENGTH || !present.isValid) return undefined;
  const [left = '', right, ...more] = expression.split('..').map((part) => part.trim());
  if (more.length > 0) return undefined;
  return right === undefined ? readSingle(left, present) : readBetween(left, right, present);
}
