import { DateTime } from 'luxon';

/**
 * A stretch of time in epoch milliseconds, half-open: `from` is in it, `to` is not, and `from < to`. An open end is
 * `-Infinity` or `Infinity`.
 */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A unit of the calendar in a zone; weeks begin on Monday (ISO 8601). */
export type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Whether a time (epoch milliseconds) is in a range. */
export function isWithin(time: number, { from, to }: TimeRange): boolean {
  return time >= from && time < to;
}

/** A range as ISO 8601 UTC, for stores that compare such texts; an open end is left out. */
export function toIsoRange({ from, to }: TimeRange): { readonly from?: string; readonly to?: string } {
  return {
    ...(Number.isFinite(from) && { from: new Date(from).toISOString() }),
    ...(Number.isFinite(to) && { to: new Date(to).toISOString() }),
  };
}

/** From the beginning of the unit that the first time is in to the end of the one that the last is in. */
export function toUnitRange(first: DateTime, unit: CalendarUnit, last: DateTime = first): TimeRange {
  const from = first.startOf(unit);
  // A second time to the start: a day whose midnight the clocks skip begins at one o'clock, the next one does not.
  const to = last
    .startOf(unit)
    .plus({ [unit]: 1 })
    .startOf(unit);
  return { from: from.toMillis(), to: to.toMillis() };
}

/** Whole months from the first of one on, in a zone; undefined for months that do not exist. */
export function toMonthRange(year: number, month: number, months: number, zone: string): TimeRange | undefined {
  const first = DateTime.fromObject({ year, month }, { zone });
  return first.isValid ? toUnitRange(first, 'month', first.plus({ months: months - 1 })) : undefined;
}

/** A day in a zone, from its first moment to the next one's; undefined for days that do not exist. */
export function toDayRange(year: number, month: number, day: number, zone: string): TimeRange | undefined {
  const at = DateTime.fromObject({ year, month, day }, { zone });
  return at.isValid ? toUnitRange(at, 'day') : undefined;
}
