import type { Estimate } from '@contextloom/contracts';
import { toCount, toDollars } from './text/numbers.ts';
import { toPlainLine } from './text/plain.ts';

const LABEL_COLUMNS = 15;

/** Writes what reading a conversation would cost in model calls, one line each. */
export function describeEstimate(estimate: Estimate): string[] {
  const withoutPrice = estimate.calls === 0 ? 'none' : 'unknown';
  const price = estimate.price_usd === undefined ? withoutPrice : toDollars(estimate.price_usd);
  const rows: readonly (readonly [string, string])[] = [
    ['pieces', toCount(estimate.pieces)],
    ['known before', toCount(estimate.pieces_known)],
    ['calls', toCount(estimate.calls)],
    ['input tokens', toCount(estimate.input_tokens)],
    ['output tokens', `${toCount(estimate.output_tokens)} (a guess)`],
    ['price', `${price} (${toPlainLine(estimate.price_basis)})`],
  ];
  return rows.map(([label, value]) => `${label.padEnd(LABEL_COLUMNS)}${value}`);
}
