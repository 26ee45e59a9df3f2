import type { JsonObject, JsonValue } from '@contextloom/contracts';

/** The longest text that is taken for a number; longer ones are no amounts. */
const MAX_DIGITS = 40;

/** A number as metadata has it: a number, or a text that is one and no more, such as `2000` or `1,999.50`. */
function toNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > MAX_DIGITS) return undefined;
  return /^[+-]?\d{1,3}(?:,?\d{3})*(?:\.\d+)?$/.test(value.trim()) ? Number(value.replaceAll(',', '')) : undefined;
}

/** Keeps a number that JSON can tell: a sum of two costs of 1e308 is the largest number there is. */
function bound(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

/** Adds numbers, of which none is infinite, to one that is not. */
export function add(one: number, other: number): number {
  return bound(one + other);
}

/** Numbers in short; undefined when there are none. */
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

/** The number that metadata have under a key. */
export function numberOf(metadata: JsonObject, key: string): number | undefined {
  return Object.hasOwn(metadata, key) ? toNumber(metadata[key]) : undefined;
}

/** Numbers that are counted one by one. */
export interface Tally {
  count(value: number): void;
  summary(): NumberSummary | undefined;
}

/** Builds a tally without numbers yet. */
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

/** The mean from the sum, which is more exact than one that ran along, unless the sum is beyond all numbers. */
function toAverage(sum: number, count: number, running: number): number {
  return Math.abs(sum) === Number.MAX_VALUE ? running : sum / count;
}

/** The value in the middle; the mean of the two there for an even number of them. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
