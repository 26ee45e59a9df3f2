import type { JsonValue } from '@contextloom/contracts';

/** A number as metadata has it: a number, or a text that is one and no more, such as `2000` or `1,999.50`. */
export function toNumber(value: JsonValue | undefined): number | undefined {
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

/** To six decimals: sums of prices have no more, and binary fractions show beyond. */
function round(value: number): number {
  return Number(value.toFixed(6));
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
