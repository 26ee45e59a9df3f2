import { ContextloomError } from '@contextloom/contracts';
import { parseTimeRange, TIME_RANGE_FORMS, type TimeRange } from '@contextloom/retrieval/time';
import type { MemoryContext } from './context.ts';

type Present = Pick<MemoryContext, 'clock' | 'zone'>;

const DAY_MS = 86_400_000;
/** The longest day: the clocks go back in it. */
const LONGEST_DAY_MS = 1.1 * DAY_MS;
/** The years that ISO 8601 writes with four digits. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads a time range.
 * @throws ContextloomError `invalid`, with the forms that it reads
 */
export function toTimeRange(text: string | undefined, { clock, zone }: Present): TimeRange | undefined {
  if (text === undefined) return undefined;
  const range = parseTimeRange(text, { now: clock(), zone });
  if (range !== undefined) return range;
  const forms = TIME_RANGE_FORMS.join(', ');
  throw new ContextloomError('invalid', `time_range must be one of these forms: ${forms}`, { field: 'time_range' });
}

/**
 * Reads the time of an event: a moment, or the beginning of a day; now without a text.
 * @throws ContextloomError `invalid`
 */
export function toEventTime(text: string | undefined, { clock, zone }: Present): number {
  if (text === undefined) return clock().getTime();
  const range = parseTimeRange(text, { now: clock(), zone });
  const isShort = range !== undefined && !text.includes('..') && range.to - range.from <= LONGEST_DAY_MS;
  if (isShort && range.from >= EARLIEST && range.from <= LATEST) return range.from;
  const message = 'timestamp must be a moment or a day, such as 2025-10-27T09:30:00Z, 2025-10-27, yesterday or 昨天';
  throw new ContextloomError('invalid', message, { field: 'timestamp' });
}

/** Within this span a zone changes its clocks at most once: equal offsets at both ends hold for all times between. */
const SPAN_MS = 7 * DAY_MS;
/** Most spans whose offset is remembered: the weeks of a century. */
const MAX_SPANS = 6_000;

/** How far the clocks of a zone are ahead of UTC at a time, in milliseconds. */
function createOffset(zone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const measure = (time: number): number => {
    const second = Math.floor(time / 1_000) * 1_000;
    const parts = new Map(format.formatToParts(second).map(({ type, value }) => [type, value]));
    const read = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const year = parts.get('era') === 'BC' ? 1 - read('year') : read('year');
    const local = new Date(0);
    local.setUTCFullYear(year, read('month') - 1, read('day'));
    local.setUTCHours(read('hour'), read('minute'), read('second'));
    return local.getTime() - second;
  };
  const spans = new Map<number, number | undefined>();
  return (time) => {
    const span = Math.floor(time / SPAN_MS);
    if (!spans.has(span)) {
      const first = measure(span * SPAN_MS);
      if (spans.size >= MAX_SPANS) spans.clear();
      spans.set(span, first === measure((span + 1) * SPAN_MS - 1) ? first : undefined);
    }
    return spans.get(span) ?? measure(time);
  };
}

/** Builds the functions that name the day (`2025-10-27`) and the month (`2025-10`) of a time in a zone. */
export function createCalendar(zone: string) {
  const offsetAt = createOffset(zone);
  const dayOf = (time: number): string => {
    const local = new Date(time + offsetAt(time));
    const day = [local.getUTCMonth() + 1, local.getUTCDate()].map((part) => String(part).padStart(2, '0')).join('-');
    return `${String(local.getUTCFullYear()).padStart(4, '0')}-${day}`;
  };
  return { dayOf, monthOf: (time: number): string => dayOf(time).slice(0, 7) };
}

/** A time as ISO 8601, UTC. */
export function toIso(time: number): string {
  return new Date(time).toISOString();
}

/** The number of days between two times; 0 when the clock went back. */
export function daysBetween(from: number, to: number): number {
  return Math.max(0, (to - from) / DAY_MS);
}

/** The time a number of days later. */
export function plusDays(time: number, days: number): number {
  return time + days * DAY_MS;
}
