import type { JsonObject, JsonValue } from '@contextloom/contracts';

/** The longest text that is read as a number. */
const MAX_DIGITS = 40;

/** A number in metadata: a number, or a text that is nothing else, such as `2000` or `1,999.50`. */
function toNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > MAX_DIGITS) return undefined;
  return /^[+-]?\d{1,3}(?:,?\d{3})*(?:\.\d+)?$/.test(value.trim()) ? Number(value.replaceAll(',', '')) : undefined;
}

/** Keeps a number finite, as JSON requires: two costs of 1e308 add up to the largest number. */
function bound(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

/** Adds finite numbers; the sum is finite too. */
export function add(one: number, other: number): number {
  return bound(one + other);
}

/** A summary of numbers. */
export interface NumberSummary {
  readonly count: number;
  readonly sum: number;
  readonly average: number;
  readonly min: number;
  readonly max: number;
}

/** Rounds to so many decimals: by default six, which sums of prices do not exceed and before which binary fractions do not show. */
export function round(value: number, decimals = 6): number {
  return bound(Number(value.toFixed(decimals)));
}

/** The number under a key of metadata. */
export function numberOf(metadata: JsonObject, key: string): number | undefined {
  return Object.hasOwn(metadata, key) ? toNumber(metadata[key]) : undefined;
}

/** Sums up numbers one by one. */
export interface Tally {
  count(value: number): void;
  summary(): NumberSummary | undefined;
}

/** Builds an empty tally. */
export function createTally(): Tally {
  let [count, sum, average] = [0, 0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return {
    count: (value) => {
      count += 1;
      sum = add(sum, value);
      average += value / count - average / count;
      min = Math.min(min, value);
      max = Math.max(max, value);
    },
    summary: () =>
      count === 0 ? undefined : { count, sum: round(sum), average: round(toAverage(sum, count, average)), min, max },
  };
}

/** The mean from the sum, which is more exact than the running mean, unless the sum overflowed. */
function toAverage(sum: number, count: number, running: number): number {
  return Math.abs(sum) === Number.MAX_VALUE ? running : sum / count;
}

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
