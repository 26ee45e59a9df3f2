import { setImmediate, setTimeout } from 'node:timers/promises';
import { sqliteCode, toClosedError, withStorageErrors } from './errors.ts';
import type { Database } from './open-database.ts';

/** How long a transaction works before it lets the event loop turn, in milliseconds. */
const SLICE_MS = 5;
/** How long to wait before asking again for the right to write that another connection has, in milliseconds. */
const RETRY_MS = 2;

/** Work in steps: between two of them the event loop may turn. */
export type Steps<T> = () => Generator<void, T>;

/** The transactions of one connection for writing, one after the other. */
export interface Transactions {
  /** @throws ContextloomError `unavailable` when another connection writes for too long, and what the work throws */
  run<T>(work: () => T): Promise<T>;
  /** Runs the steps in slices of a few milliseconds, all in one transaction: all of it is written, or nothing. */
  runInSlices<T>(steps: Steps<T>): Promise<T>;
  /** Refuses further ones, and resolves when those that were asked for are done. */
  close(): Promise<void>;
}

/** How transactions are run. */
export interface TransactionsOptions {
  /** How long one waits for another connection's. */
  readonly busyTimeoutMs?: number;
  readonly sliceMs?: number;
  /** Throws when what was written is not where it is looked for. */
  readonly checkFile?: () => void;
}

/**
 * Builds the transactions of a connection that nothing else uses: between the slices of one, whatever else ran on it would
 * be part of it. The right to write is waited for without standing still, for at most `busyTimeoutMs`.
 */
export function createTransactions(
  database: Database,
  { busyTimeoutMs = 5_000, sliceMs = SLICE_MS, checkFile }: TransactionsOptions = {},
): Transactions {
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  /** Begins the transaction if no other connection writes. */
  const tryToBegin = (isLastTry: boolean): boolean => {
    database.pragma('busy_timeout = 0');
    try {
      database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (isLastTry || !sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw error;
      return false;
    } finally {
      database.pragma(`busy_timeout = ${busyTimeoutMs}`);
    }
  };
  const perform = async <T>(steps: Steps<T>): Promise<T> => {
    const deadline = performance.now() + busyTimeoutMs;
    // No turn of anything else between its beginning and its first slice: a short one ends before others ask.
    while (!withStorageErrors(() => tryToBegin(performance.now() > deadline))) await setTimeout(RETRY_MS);
    try {
      const work = steps();
      for (let end = performance.now() + sliceMs; ; ) {
        const step = withStorageErrors(() => work.next());
        if (step.done) {
          withStorageErrors(() => database.exec('COMMIT'));
          checkFile?.(); // After the work, which is not acknowledged when its file is gone.
          return step.value;
        }
        if (performance.now() < end) continue;
        await setImmediate();
        end = performance.now() + sliceMs;
      }
    } catch (error) {
      // SQLite itself rolls back what fails for want of space or memory.
      if (database.inTransaction) database.exec('ROLLBACK');
      checkFile?.(); // It tells more than any error of a file that is gone.
      throw error;
    }
  };
  const runInSlices = async <T>(steps: Steps<T>): Promise<T> => {
    if (isClosed) throw toClosedError();
    const result = last.then(() => perform(steps));
    last = result.catch(() => undefined); // Its caller gets the error.
    return result;
  };
  return {
    run: (work) =>
      // biome-ignore lint/correctness/useYield: the whole work is one step.
      runInSlices(function* () {
        return work();
      }),
    runInSlices,
    close: async () => {
      isClosed = true;
      await last;
    },
  };
}
