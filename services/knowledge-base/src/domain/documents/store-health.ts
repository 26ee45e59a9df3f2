import { ContextloomError, isContextloomError, type StoreHealth } from '@contextloom/contracts';
import { withDeadline } from '@contextloom/runtime/scheduling';
import type { DocumentStore } from '../store.ts';

/** How long an answer about the store's health is given again, in milliseconds: many may ask, the store is queried once. */
const FRESH_MS = 1_000;
/** How long the store may take to answer before it counts as unavailable, in milliseconds. */
const DEADLINE_MS = 2_000;

/** What a health check is made of. */
export interface StoreHealthOptions {
  readonly store: Pick<DocumentStore, 'kind' | 'check' | 'upgradeProgress'>;
  readonly clock: () => Date;
  readonly deadlineMs?: number;
}

async function ask({ store, deadlineMs = DEADLINE_MS }: StoreHealthOptions): Promise<StoreHealth> {
  const { kind } = store;
  try {
    await withDeadline(store.check(), deadlineMs, () => {
      return new ContextloomError('unavailable', `the store did not answer within ${deadlineMs / 1_000} s`);
    });
    const rebuilding = store.upgradeProgress();
    return { kind, status: 'running', ...(rebuilding && { rebuilding: { ...rebuilding } }) };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return { kind, status: 'unavailable', reason: error.message };
  }
}

/** Makes the function that tells whether the store can be used now; its answers are at most a second old. */
export function createStoreHealth(options: StoreHealthOptions): () => Promise<StoreHealth> {
  let last: { readonly answer: Promise<StoreHealth>; answeredAt?: number } | undefined;
  return () => {
    const now = options.clock().getTime();
    // A clock that was set back makes an answer stale, not fresh for hours.
    const isFresh = (at: number): boolean => now >= at && now - at < FRESH_MS;
    if (last !== undefined && (last.answeredAt === undefined || isFresh(last.answeredAt))) return last.answer;
    const asking: { answer: Promise<StoreHealth>; answeredAt?: number } = { answer: ask(options) };
    const note = (): void => {
      asking.answeredAt = options.clock().getTime();
    };
    asking.answer.then(note, note);
    last = asking;
    return asking.answer;
  };
}
