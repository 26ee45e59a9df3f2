import { ContextloomError, EXPIRY_KEY, type JsonObject } from '@contextloom/contracts';
import { parseTimestamp } from '@contextloom/retrieval/filter';

/** What an entry says of itself. */
interface Described {
  readonly metadata?: JsonObject | undefined;
}

/** When an entry is forgotten, in epoch milliseconds; undefined where it has no end. What a person wrote that is no time is none. */
export function toEnd({ metadata }: Described): number | undefined {
  const at = metadata?.[EXPIRY_KEY];
  const time = typeof at === 'string' ? parseTimestamp(at) : undefined;
  return time === undefined ? undefined : Math.floor(time);
}

/** Whether the end of an entry has come. */
export const hasEnded = (entry: Described, now: Date): boolean => (toEnd(entry) ?? Infinity) <= now.getTime();

/** Whether an entry stays: what has an end is told in no summary, which would outlive it. */
export const isLasting = (entry: Described): boolean => toEnd(entry) === undefined;

/** @throws ContextloomError `invalid` for an end that is no time: it would never come */
export function requireEnd(metadata: JsonObject | undefined): void {
  const at = metadata?.[EXPIRY_KEY] ?? null;
  if (at === null || toEnd({ metadata }) !== undefined) return;
  const field = `metadata.${EXPIRY_KEY}`;
  throw new ContextloomError('invalid', `${field} must be a time in ISO 8601, such as 2026-03-01T00:00:00Z`, { field });
}
