import { setImmediate, setTimeout } from 'node:timers/promises';
import { sqliteCode, toClosedError, withStorageErrors } from './errors.ts';
import type { Database } from './open-database.ts';

/** How long a transaction works before it yields to the event loop, in milliseconds. */
const SLICE_MS = 5;
/** How often to ask again for the write lock of another connection, in milliseconds. */
const RETRY_MS = 2;

/** Work in steps; it may yield to the event loop between two of them. */
export type Steps<T> = () => Generator<void, T>;

/** The transactions of one connection for writing, one after the other. */
export interface Transactions {
  /**
   * Runs short work, whose statements may be awaited, and nothing else. What is requested while another transaction is under way
   * shares one transaction, and one wait for the disk; work that throws takes back its own changes alone.
   * @throws ContextloomError `unavailable` when another connection writes for too long, and what the work throws
   */
  run<T>(work: () => T | Promise<T>): Promise<T>;
  /** Runs the steps in slices of a few milliseconds, all in one transaction: all of it is written, or nothing. */
  runInSlices<T>(steps: Steps<T>): Promise<T>;
  /** Runs work whose statements are awaited, in a transaction of its own; it awaits nothing else. */
  runAwaited<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work that cannot be part of a transaction, such as `VACUUM`, when no transaction of this connection is open; those requested meanwhile wait. */
  runBetween<T>(work: () => Promise<T>): Promise<T>;
  /** Refuses new transactions, and resolves when those already requested are done. */
  close(): Promise<void>;
}

/** How transactions are run. */
export interface TransactionsOptions {
  /** How long one waits for a transaction of another connection. */
  readonly busyTimeoutMs?: number;
  readonly sliceMs?: number;
  /** Throws when the file was moved or replaced since it was opened. */
  readonly checkFile?: () => void;
}

/** Work that waits for a transaction together with others. */
interface Member {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs work inside a transaction so that its changes alone are taken back when it throws; tells its caller after the commit. */
async function attempt(database: Database, { work, resolve, reject }: Member): Promise<() => void> {
  database.exec('SAVEPOINT member');
  try {
    const begun: unknown = withStorageErrors(work);
    // What is not awaited ends before anybody else can use the connection.
    const value = begun instanceof Promise ? await begun : begun;
    database.exec('RELEASE member');
    return () => resolve(value);
  } catch (error) {
    // SQLite itself rolls back everything for want of space or memory.
    if (!database.inTransaction) throw error;
    database.exec('ROLLBACK TO member');
    database.exec('RELEASE member');
    return () => reject(error);
  }
}

/**
 * Builds the transactions of a connection that nothing else uses: other statements between two slices would become part of the
 * transaction. It waits for the write lock for at most `busyTimeoutMs`, without blocking the event loop.
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
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    const deadline = performance.now() + busyTimeoutMs;
    // Nothing else runs between its beginning and its first slice: a short one ends before others ask.
    while (!withStorageErrors(() => tryToBegin(performance.now() > deadline))) await setTimeout(RETRY_MS);
    try {
      const value = await work();
      withStorageErrors(() => database.exec('COMMIT'));
      checkFile?.(); // After the work, which is not acknowledged when its file is gone.
      return value;
    } catch (error) {
      // SQLite itself rolls back what fails for want of space or memory.
      if (database.inTransaction) database.exec('ROLLBACK');
      checkFile?.(); // Says more than the error that a missing file causes.
      throw error;
    }
  };
  const perform = <T>(steps: Steps<T>): Promise<T> =>
    within(async () => {
      const work = steps();
      for (let end = performance.now() + sliceMs; ; ) {
        const step = withStorageErrors(() => work.next());
        if (step.done) return step.value;
        if (performance.now() < end) continue;
        await setImmediate();
        end = performance.now() + sliceMs;
      }
    });
  /** The work that may still be joined: it is the last that was requested, and has not begun. */
  let open: Member[] | undefined;
  const enqueue = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw toClosedError();
    open = undefined;
    const result = last.then(work);
    last = result.catch(() => undefined); // Its caller gets the error.
    return result;
  };
  const runInSlices = <T>(steps: Steps<T>): Promise<T> => enqueue(() => perform(steps));
  const runTogether = async (members: readonly Member[]): Promise<void> => {
    try {
      const tellings = await enqueue(async () => {
        // Others whose requests have come in by now join first.
        await setImmediate();
        return within(async () => {
          if (open === members) open = undefined;
          const done: (() => void)[] = [];
          for (let end = performance.now() + sliceMs; ; ) {
            const member = members[done.length];
            if (member === undefined) return done;
            done.push(await attempt(database, member));
            if (performance.now() < end) continue;
            await setImmediate();
            end = performance.now() + sliceMs;
          }
        });
      });
      for (const tell of tellings) tell();
    } catch (error) {
      // Perhaps it never began, since another connection wrote for too long.
      if (open === members) open = undefined;
      for (const { reject } of members) reject(error);
    }
  };
  return {
    run: <T>(work: () => T | Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const member = { work, resolve: (value: unknown) => resolve(value as T), reject };
        if (isClosed) return reject(toClosedError());
        if (open !== undefined) return void open.push(member);
        const members = [member];
        void runTogether(members);
        open = members;
      }),
    runInSlices,
    runAwaited: (work) => enqueue(() => within(work)),
    runBetween: enqueue,
    close: async () => {
      isClosed = true;
      await last;
    },
  };
}
