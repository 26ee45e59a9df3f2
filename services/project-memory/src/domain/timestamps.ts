import { ContextloomError } from '@contextloom/contracts';

/** How far ahead of the server's clock a caller's may be, in seconds. */
const MAX_AHEAD_S = 600;

/**
 * The units that callers count in, distinguished by size: as seconds, 1e11 is the year 5138; as milliseconds, it is 1973. So for
 * the others, by factors of a thousand.
 */
const units: readonly (readonly [below: number, perSecond: number])[] = [
  [1e11, 1],
  [1e14, 1e3],
  [1e17, 1e6],
  [Number.POSITIVE_INFINITY, 1e9],
];

const toUnit = (ts: number): number => units.find(([below]) => ts < below)?.[1] ?? 1;

/** Unix time in seconds, milliseconds, microseconds or nanoseconds as whole seconds. */
export function toSeconds(ts: number): number {
  return Math.floor(ts / toUnit(ts));
}

/** The end of the second, millisecond, … that a Unix time names, in seconds: what is stored in that second counts as of it. */
export function toEndOfUnit(ts: number): number {
  const perSecond = toUnit(ts);
  return (Math.floor(ts) + 1) / perSecond;
}

/**
 * The time of a memory in Unix seconds; now when none is given.
 * @throws ContextloomError `invalid` for a time that is more than ten minutes ahead
 */
export function toMemoryTime(ts: number | undefined, now: Date): number {
  const present = Math.floor(now.getTime() / 1_000);
  if (ts === undefined) return present;
  const seconds = toSeconds(ts);
  if (seconds <= present + MAX_AHEAD_S) return seconds;
  throw new ContextloomError('invalid', 'ts must be at most 10 minutes ahead of the server', { field: 'ts' });
}
