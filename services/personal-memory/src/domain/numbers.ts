import type { JsonObject, JsonValue } from '@contextloom/contracts';

/** A number as metadata has it: a number, or a text that is one and no more, such as `2000` or `1,999.50`. */
function toNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^[+-]?\d{1,3}(?:,?\d{3})*(?:\.\d+)?$/.test(value.trim())) return undefined;
  return Number(value.replaceAll(',', ''));
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
  return Number(value.toFixed(decimals));
}

/** The number that metadata have under a key. */
export function numberOf(metadata: JsonObject, key: string): number | undefined {
  return Object.hasOwn(metadata, key) ? toNumber(metadata[key]) : undefined;
}

/** Sums numbers up. */
export function summarizeNumbers(values: readonly number[]): NumberSummary | undefined {
  if (values.length === 0) return undefined;
  const sum = values.reduce((total, value) => total + value, 0);
  const [min, max] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return { count: values.length, sum: round(sum), average: round(sum / values.length), min, max };
}

/** The value in the middle; the mean of the two there for an even number of them. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
