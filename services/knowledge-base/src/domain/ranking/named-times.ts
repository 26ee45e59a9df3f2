import { findCalendarTimes } from '@contextloom/retrieval/time';
import { TIMES } from '../search/tuning.ts';

/** A time that a query names: months of the year from 0, a day of its only month, a year; each where the query names it. */
export interface NamedTime {
  readonly months?: readonly number[];
  readonly day?: number;
  readonly year?: number;
}

/** Queries are short; in a pasted page no time is the one that the user means. */
const MAX_LENGTH = 1_000;

/**
 * The months, seasons, days and years that a query names in English or Chinese, such as `on 8 May 2024`, `last summer`, `五月`.
 */
export function findNamedTimes(query: string): readonly NamedTime[] {
  if (query.length > MAX_LENGTH) return [];
  return findCalendarTimes(query).map(({ months, day, year }) => ({
    ...(months !== undefined && { months: months.map((month) => month - 1) }),
    ...(day !== undefined && { day }),
    ...(year !== undefined && { year }),
  }));
}

const MS_PER_DAY = 86_400_000;

function isNear(at: Date, { months = [], day = 1, year: named = at.getUTCFullYear() }: NamedTime): boolean {
  const days = (at.getTime() - Date.UTC(named, months[0] ?? 0, day)) / MS_PER_DAY;
  return days >= -TIMES.daysBefore && days <= TIMES.daysAfter;
}

/** The factor for the relevance of a document that happened at a time (epoch milliseconds), by the times that a query names. */
export function toTimeFactor(named: readonly NamedTime[], time: number): number {
  const at = new Date(time);
  const isWithin = named.some(
    ({ months, year: inYear }) =>
      (months?.includes(at.getUTCMonth()) ?? true) && (inYear === undefined || inYear === at.getUTCFullYear()),
  );
  const isNearDay = named.some((one) => one.day !== undefined && isNear(at, one));
  return (isWithin ? 1 + TIMES.period : 1) * (isNearDay ? 1 + TIMES.day : 1);
}
