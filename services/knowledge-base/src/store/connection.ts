import { settled, withDeadline } from '../domain/deadline.ts';
import type { DocumentStore } from './store.ts';

/** What a connection is made of. */
export interface ConnectionOptions {
  readonly open: () => Promise<DocumentStore>;
  /** How long the opening may take, in milliseconds, and what it rejects with when it takes longer. */
  readonly openMs: number;
  readonly toLate: () => Error;
  /** How long a retired store waits for calls that use it, and its retirement for the store, in milliseconds. */
  readonly graceMs: number;
  readonly onCloseFailed: (cause: unknown) => void;
}

/** One opening of a store, shared by all calls until it is retired. */
export interface Connection {
  readonly opened: Promise<DocumentStore>;
  /**
   * Runs work that needs the store open: a retired store waits for it before it closes, as long as the grace lasts, or, for
   * work of any length, until it is over.
   */
  lend<T>(work: () => Promise<T>, length: 'short' | 'any'): Promise<T>;
  /** Closes the store once nothing uses it, or the grace is over; resolves then, or earlier if the store is still in use. */
  retire(): Promise<void>;
}

/** Begins to open a store. */
export function createConnection({ open, openMs, toLate, graceMs, onCloseFailed }: ConnectionOptions): Connection {
  const opening = open();
  const uses = { short: new Set<Promise<unknown>>(), any: new Set<Promise<unknown>>() };
  let retired: Promise<void> | undefined;

  async function close(): Promise<void> {
    const store = await opening.catch(() => undefined); // Its callers were told; what never opened needs no closing.
    await Promise.all([settled(Promise.allSettled(uses.short), graceMs), Promise.allSettled(uses.any)]);
    await store?.close().catch(onCloseFailed);
  }

  return {
    opened: withDeadline(opening, openMs, toLate),
    lend: (work, length) => {
      const use = work();
      uses[length].add(use);
      const done = (): boolean => uses[length].delete(use);
      use.then(done, done);
      return use;
    },
    retire: () => {
      retired ??= settled(close(), 2 * graceMs);
      return retired;
    },
  };
}
