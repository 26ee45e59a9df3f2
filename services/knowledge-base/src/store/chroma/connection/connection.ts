import { settled, withDeadline } from '@contextloom/runtime/scheduling';
import type { DocumentStore } from '../../../domain/store.ts';

/** What a connection is made of. */
export interface ConnectionOptions {
  readonly open: () => Promise<DocumentStore>;
  /** How long the opening may take, in milliseconds, and what it rejects with when it takes longer. */
  readonly openMs: number;
  readonly toLate: () => Error;
  readonly onCloseFailed: (cause: unknown) => void;
}

/** One opening of a store, shared by all calls until it is retired. */
export interface Connection {
  readonly opened: Promise<DocumentStore>;
  /** Runs work that needs the store open; `long` work takes as long as it takes. */
  lend<T>(work: () => Promise<T>, length: 'short' | 'long'): Promise<T>;
  /**
   * Closes the store once nothing uses it, and says so; short work is waited for up to `graceMs` milliseconds, long work to
   * its end.
   */
  retire(graceMs: number, onClosed: () => void): void;
  /** Closes the store within `graceMs` milliseconds, even in use; resolves then, or soon after if the store hangs. */
  end(graceMs: number): Promise<void>;
}

/** Makes a promise that somebody else resolves. */
function createSignal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** Begins to open a store. */
export function createConnection({ open, openMs, toLate, onCloseFailed }: ConnectionOptions): Connection {
  const opening = open();
  const uses = { short: new Set<Promise<unknown>>(), long: new Set<Promise<unknown>>() };
  const [hurry, cut] = [createSignal(), createSignal()];
  let closed: Promise<void> | undefined;

  async function close(): Promise<void> {
    const store = await Promise.race([opening.catch(() => undefined), cut.given]); // Its callers got the error.
    const unused = Promise.all([
      Promise.race([Promise.allSettled(uses.short), hurry.given]),
      Promise.allSettled(uses.long),
    ]);
    await Promise.race([unused, cut.given]);
    await store?.close().catch(onCloseFailed);
  }
  function closeAfter(graceMs: number, signal: typeof hurry): Promise<void> {
    const timer = setTimeout(signal.give, graceMs);
    closed ??= close();
    return closed.finally(() => clearTimeout(timer));
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
    retire: (graceMs, onClosed) => void closeAfter(graceMs, hurry).then(onClosed),
    end: (graceMs) => settled(closeAfter(graceMs, cut), 2 * graceMs),
  };
}
