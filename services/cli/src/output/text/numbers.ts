/** A whole number with its thousands set apart: 10,240. */
export function toCount(value: number): string {
  return value.toLocaleString('en-US');
}

const SMALLEST_SHOWN_USD = 0.0001;

/** An amount of US dollars: cents from a dollar on, hundredths of a cent below. */
export function toDollars(amount: number): string {
  if (amount === 0) return '$0';
  if (amount < SMALLEST_SHOWN_USD) return `less than $${SMALLEST_SHOWN_USD}`;
  return `$${amount.toFixed(amount >= 1 ? 2 : 4)}`;
}
