import type { JsonObject } from '@contextloom/contracts';

/** What `occurred_at_source` says of a memory whose date is that of the call which brought it. */
export const BY_CALL = 'call';

/** When the call came that brought a memory, if that is its date. */
export function readCalledAt({ occurred_at: at, occurred_at_source: source }: JsonObject): string | undefined {
  return source === BY_CALL && typeof at === 'string' ? at : undefined;
}
