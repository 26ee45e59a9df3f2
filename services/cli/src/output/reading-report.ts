import type { ModelUsage, StoreConversationResponse } from '@contextloom/contracts';
import { toCount, toDollars } from './text/numbers.ts';
import { toPlainLine } from './text/plain.ts';

/** What came of reading a conversation, besides the memories themselves. */
export interface Reading
  extends Pick<StoreConversationResponse, 'not_saved' | 'failed' | 'usage' | 'kept_as_corrected' | 'left_out_deleted'> {
  readonly kept: number;
  /** Pieces of the conversation that an earlier call had saved. */
  readonly known?: number | undefined;
}

const SHOWN_FAILURES = 5;

/** Tells what was kept, what was not and why, which pieces failed, and what the model cost, one line each. */
export function describeReading({
  kept,
  known = 0,
  not_saved = [],
  kept_as_corrected: corrected = 0,
  left_out_deleted: deleted = 0,
  failed = [],
  usage,
}: Reading): string[] {
  const before = known === 0 ? '' : `; ${toCount(known)} pieces known before`;
  return [
    `kept: ${toCount(kept)}${before}`,
    ...(corrected === 0 ? [] : [`kept as you corrected them: ${toCount(corrected)}`]),
    ...(deleted === 0 ? [] : [`left out as you deleted them: ${toCount(deleted)}`]),
    ...describeNotKept(not_saved),
    ...describeFailed(failed),
    ...(usage === undefined || usage.calls === 0 ? [] : [describeUsage(usage)]),
  ];
}

function describeNotKept(notSaved: NonNullable<Reading['not_saved']>): string[] {
  if (notSaved.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { reason } of notSaved) {
    // What is special to one fact (`number not in the evidence: 97`) would count each alone.
    const kind = reason.split(':')[0] ?? reason;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  return [
    `not kept: ${toCount(notSaved.length)}`,
    ...byCount.map(([reason, count]) => `  ${toPlainLine(reason)}: ${toCount(count)}`),
  ];
}

function describeFailed(failed: NonNullable<Reading['failed']>): string[] {
  if (failed.length === 0) return [];
  const shown = failed.slice(0, SHOWN_FAILURES);
  const more = failed.length - shown.length;
  return [
    `failed pieces: ${toCount(failed.length)}`,
    ...shown.map(({ source, reason }) => `  ${toPlainLine(source)}: ${toPlainLine(reason)}`),
    ...(more === 0 ? [] : [`  and ${toCount(more)} more`]),
  ];
}

function describeUsage({ calls, input_tokens, output_tokens, price_usd }: ModelUsage): string {
  const parts = [
    `${toCount(calls)} ${calls === 1 ? 'call' : 'calls'}`,
    `${toCount(input_tokens)} input tokens`,
    `${toCount(output_tokens)} output tokens`,
    ...(price_usd === undefined ? [] : [toDollars(price_usd)]),
  ];
  return `model: ${parts.join(', ')}`;
}
