import type { MemoryContext } from '../context.ts';
import type { MemoryEvent } from '../model.ts';
import { add, median, numberOf, round } from '../numbers.ts';
import { readEventPages } from '../pages.ts';
import type { EventFilter } from '../store.ts';
import { createCalendar, daysBetween, plusDays } from '../times.ts';

/** What happened in one month. */
export interface MonthTrend {
  /** Such as `2025-10`. */
  readonly month: string;
  readonly count: number;
  /** The sum of the events' `cost`. */
  readonly spend: number;
}

/** A rhythm of events. */
export interface Rhythm {
  readonly days: number;
  /** The share of the gaps that are this long, in [0, 1]; a gap three times so long counts a third. */
  readonly strength: number;
  /** When it should happen next, if the rhythm goes on. */
  readonly next: number;
}

/** How events run over time. */
export interface Trends {
  readonly count: number;
  readonly firstTime: number | undefined;
  readonly lastTime: number | undefined;
  readonly perMonth: number;
  readonly spend: number;
  /** All months from the first event to the last, also those without events. */
  readonly months: readonly MonthTrend[];
  readonly rhythm: Rhythm | undefined;
}

/** A rhythm of fewer events may be chance. */
const MIN_EVENTS = 4;
/** How far a gap may be from the rhythm, as a share of it. */
const TOLERANCE = 0.2;
/** Below this, the gaps have nothing in common. */
const MIN_STRENGTH = 0.5;
const DAYS_PER_MONTH = 365.2425 / 12;

/** How well a period explains a gap: fully when the gap is as long, less for one so many times as long. */
function explain(gap: number, period: number): number {
  const times = Math.max(1, Math.round(gap / period));
  return Math.abs(gap - times * period) <= TOLERANCE * period ? 1 / times : 0;
}

/** The newest days count for a rhythm, since habits change. */
const MAX_RHYTHM_DAYS = 500;

/** The period that explains most of the gaps between days on which something happened. */
function findRhythm(times: readonly number[]): Rhythm | undefined {
  const gaps = times.slice(1).map((time, at) => daysBetween(times[at] ?? 0, time));
  const last = times.at(-1);
  if (times.length < MIN_EVENTS || last === undefined) return undefined;
  const strengthOf = (period: number): number => gaps.reduce((sum, gap) => sum + explain(gap, period), 0) / gaps.length;
  const best = [...new Set(gaps)]
    .map((period) => ({ period, strength: strengthOf(period) }))
    .reduce((one, other) => (other.strength > one.strength ? other : one));
  if (best.strength < MIN_STRENGTH) return undefined;
  const days = median(gaps.filter((gap) => explain(gap, best.period) === 1));
  return {
    days: round(days, 1),
    strength: round(best.strength, 2),
    next: plusDays(last, days),
  };
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const [nextYear, next] = number === 12 ? [year + 1, 1] : [year, number + 1];
  return `${String(nextYear).padStart(4, '0')}-${String(next).padStart(2, '0')}`;
}

/** The longest list of months without gaps: a date in the year 1 would make twenty thousand. */
const MAX_MONTHS = 600;

function fillMonths(months: ReadonlyMap<string, MonthTrend>): readonly MonthTrend[] {
  const known = [...months.keys()].sort();
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  const filled: MonthTrend[] = [];
  for (let month = first; month <= last; month = nextMonth(month)) {
    filled.push(months.get(month) ?? { month, count: 0, spend: 0 });
    if (filled.length > MAX_MONTHS) return known.flatMap((one) => months.get(one) ?? []);
  }
  return filled;
}

/** Counts events one by one, newest first. */
function createTrendCount({ zone }: Pick<MemoryContext, 'zone'>) {
  const { dayOf } = createCalendar(zone);
  const months = new Map<string, MonthTrend>();
  const days = new Map<string, number>();
  let [count, spend] = [0, 0];
  let firstTime: number | undefined;
  let lastTime: number | undefined;
  return {
    count: ({ time, metadata }: MemoryEvent): void => {
      const day = dayOf(time);
      const month = day.slice(0, 7);
      const cost = numberOf(metadata, 'cost') ?? 0;
      const before = months.get(month) ?? { month, count: 0, spend: 0 };
      months.set(month, { month, count: before.count + 1, spend: add(before.spend, cost) });
      // Twice in a day is once in a rhythm of days: the first time of the day, which comes last here.
      if (days.has(day) || days.size < MAX_RHYTHM_DAYS) days.set(day, time);
      count += 1;
      spend = add(spend, cost);
      firstTime = time;
      lastTime ??= time;
    },
    result: () => ({ months, times: [...days.values()].reverse(), count, spend, firstTime, lastTime }),
  };
}

/** How often events happen, in which rhythm, and what they cost. */
export async function analyzeTrends(filter: EventFilter, context: MemoryContext): Promise<Trends> {
  const counted = createTrendCount(context);
  for await (const events of readEventPages(context.memory, filter)) {
    for (const event of events) counted.count(event);
  }
  const { months, times, count, spend, firstTime, lastTime } = counted.result();
  const span = firstTime === undefined || lastTime === undefined ? 0 : daysBetween(firstTime, lastTime);
  return {
    count,
    firstTime,
    lastTime,
    perMonth: round(count / Math.max(1, span / DAYS_PER_MONTH), 2),
    spend: round(spend),
    months: fillMonths(months).map((month) => ({ ...month, spend: round(month.spend) })),
    rhythm: findRhythm(times),
  };
}
