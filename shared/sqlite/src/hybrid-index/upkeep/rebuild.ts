import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import type { Database } from '../../database/open-database.ts';
import type { Transactions } from '../../database/transactions.ts';
import { tryFileLock } from '../../files/file-lock.ts';
import type { IndexEntry } from '../cache/entries.ts';
import type { FingerprintRecord } from './fingerprint.ts';
import type { IndexDefinition } from './schema.ts';

/** Rows a transaction. */
const BATCH = 64;

/** How long a rebuild waits for the lock of the one whose turn it took, in milliseconds, and how often it asks. */
const LOCK_WAIT_MS = 2_000;
const LOCK_LOOK_MS = 20;

/** What was derived of a row. */
export interface DerivedRow {
  readonly row: number;
  readonly entry: IndexEntry;
  /** Writes, in steps, what else the owner derives of the row, where no reader looks yet. */
  readonly write?: () => Iterable<void>;
}

/** How an index is rebuilt. */
export interface RebuildIndexOptions {
  /** Derives the rows; one that is gone meanwhile is left out. */
  readonly derive: (rows: readonly number[]) => Promise<readonly DerivedRow[]>;
  /**
   * Keeps what an earlier rebuild for the same fingerprint had derived when it was interrupted, but for rows that changed
   * since; without it everything is derived again.
   */
  readonly resume?: boolean | undefined;
  /** Ends it after the batch that is under way. */
  readonly signal?: AbortSignal | undefined;
  /** Gets how many of the rows there were at the start are done. */
  readonly onProgress?: ((progress: { readonly rows: number; readonly done: number }) => void) | undefined;
  /** Discards what {@link DerivedRow.write} wrote, in the transaction that discards the entries. */
  readonly onDiscard?: () => void;
  /** Puts in use what {@link DerivedRow.write} wrote, in the transaction that puts the entries in use. */
  readonly onSwap?: () => void;
}

/** How a rebuild ended: the rows of the new index, or for one that its signal interrupted the rows done. */
export interface RebuildReport {
  readonly kind: 'complete' | 'interrupted';
  readonly rows: number;
}

/** The steps of a rebuild, each of which belongs into a transaction. */
function createSteps(database: Database, { name, table }: IndexDefinition, record: FingerprintRecord) {
  const readTurn = database.prepare<[], number>(`SELECT value FROM ${name}_state WHERE name = 'rebuild'`).pluck();
  const saveTurn = database.prepare<[number]>(`INSERT OR REPLACE INTO ${name}_state VALUES ('rebuild', ?)`);
  const newestChange = database.prepare<[], number>(`SELECT coalesce(max(change), 0) FROM ${name}_changes`).pluck();
  const missing = database
    .prepare<[number, number], number>(
      `SELECT t.${table.row} FROM ${table.name} t WHERE t.${table.row} > ?
       AND NOT EXISTS (SELECT 1 FROM ${name}_entries_next e WHERE e.row = t.${table.row}) ORDER BY t.${table.row} LIMIT ?`,
    )
    .pluck();
  const hasChanged = database
    .prepare<[number, number], number>(`SELECT EXISTS (SELECT 1 FROM ${name}_changes WHERE row = ? AND change > ?)`)
    .pluck();
  const isThere = database
    .prepare<[number], number>(`SELECT EXISTS (SELECT 1 FROM ${table.name} WHERE ${table.row} = ?)`)
    .pluck();
  const put = database.prepare(
    `INSERT OR REPLACE INTO ${name}_entries_next (row, words, vector, norm) VALUES (?, ?, ?, ?)`,
  );
  const countRows = database.prepare<[], number>(`SELECT count(*) FROM ${table.name}`).pluck();
  const countNext = database.prepare<[], number>(`SELECT count(*) FROM ${name}_entries_next`).pluck();
  const checkTurn = (turn: number): void => {
    if (readTurn.get() === turn) return;
    throw new ContextloomError('conflict', 'the index is being rebuilt by another call, which goes on');
  };
  return {
    begin: ({ resume = false, onDiscard }: RebuildIndexOptions) => {
      const turn = (readTurn.get() ?? 0) + 1;
      saveTurn.run(turn);
      // A change of a row removes its next entry: those left belong to the rows as they are now.
      if (!(resume && record.isNext())) {
        database.exec(`DELETE FROM ${name}_entries_next`);
        onDiscard?.();
        record.writeNext(true);
      }
      return { turn, rows: countRows.get() ?? 0, done: countNext.get() ?? 0 };
    },
    read: (after: number) => ({ rows: missing.all(after, BATCH), change: newestChange.get() ?? 0 }),
    *write(turn: number, change: number, derived: readonly DerivedRow[]): Generator<void, void> {
      checkTurn(turn);
      for (const { row, entry, write } of derived) {
        // Changed since: the next pass handles it, if it still exists.
        if (hasChanged.get(row, change) === 1 || isThere.get(row) === 0) continue;
        put.run(row, entry.words, entry.vector ?? null, entry.norm ?? null);
        if (write !== undefined) yield* write();
        yield;
      }
    },
    finish: (turn: number, onSwap?: () => void): number | 'unfinished' => {
      checkTurn(turn);
      if (missing.get(0, 1) !== undefined) return 'unfinished';
      database.exec(`
        ALTER TABLE ${name}_entries RENAME TO ${name}_entries_before;
        ALTER TABLE ${name}_entries_next RENAME TO ${name}_entries;
        ALTER TABLE ${name}_entries_before RENAME TO ${name}_entries_next;
        DELETE FROM ${name}_entries_next;`);
      onSwap?.();
      record.writeSwapped();
      record.writeNext(false);
      return countRows.get() ?? 0;
    },
  };
}

/** Releases a lock. */
type Release = () => void;

/** Takes the lock once the earlier rebuild has released it; without the lock, the turn numbers alone keep them apart. */
async function waitForLock(lockFile: string): Promise<Release> {
  for (let waited = 0; waited < LOCK_WAIT_MS; waited += LOCK_LOOK_MS) {
    const release = tryFileLock(lockFile);
    if (release !== undefined) return release;
    await sleep(LOCK_LOOK_MS);
  }
  return () => undefined;
}

/** Rebuilds an index; the lock is taken, unless the caller has it. */
export type RebuildIndex = (options: RebuildIndexOptions, hasLock?: boolean) => Promise<RebuildReport>;

/** What a rebuild works with. */
export interface RebuildParts {
  readonly record: FingerprintRecord;
  readonly transactions: Transactions;
  /** Locked while a rebuild is at work. */
  readonly lockFile: string;
}

/**
 * Builds the function that derives every entry of an index again. Entries are written next to those in use and take their
 * place in the last transaction, so that searches see the old index until then, and one that is interrupted leaves it whole.
 * Of two rebuilds at once the later goes on and the earlier rejects with `conflict`.
 */
export function createRebuildIndex(
  database: Database,
  definition: IndexDefinition,
  { record, transactions, lockFile }: RebuildParts,
): RebuildIndex {
  const steps = createSteps(database, definition, record);
  const work = async (begun: ReturnType<typeof steps.begin>, options: RebuildIndexOptions): Promise<RebuildReport> => {
    const { signal, onProgress, derive, onSwap } = options;
    const { turn, rows: total } = begun;
    let { done } = begun;
    onProgress?.({ rows: total, done });
    let after = 0;
    for (;;) {
      if (signal?.aborted) return { kind: 'interrupted', rows: done };
      const from = after;
      const { rows, change } = await transactions.run(() => steps.read(from));
      if (rows.length > 0) {
        const derived = await derive(rows);
        await transactions.runInSlices(() => steps.write(turn, change, derived));
        done += rows.length;
        onProgress?.({ rows: total, done });
      } else if (after === 0) {
        const outcome = await transactions.run(() => steps.finish(turn, onSwap));
        if (outcome !== 'unfinished') return { kind: 'complete', rows: outcome };
      }
      after = rows.at(-1) ?? 0;
    }
  };
  return async (options, hasLock = false) => {
    const begun = await transactions.run(() => steps.begin(options));
    const release = hasLock ? () => undefined : await waitForLock(lockFile);
    try {
      return await work(begun, options);
    } finally {
      release();
    }
  };
}
