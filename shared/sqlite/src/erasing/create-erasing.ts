import { withStorageErrors } from '../database/errors.ts';
import type { IndexedDatabase } from '../hybrid-index/indexed-database.ts';
import { eraseInThread } from './erase-in-thread.ts';

/** Knows what was deleted for good from a database, until no byte of it is left in the files. */
export interface Erasing {
  /** Notes it inside the transaction that deletes: it holds in whatever process comes next. */
  readonly note: () => void;
  /** Rewrites the file where something was deleted since it was last done; answers whether. @throws ContextloomError `unavailable` or `no_space` */
  readonly eraseNoted: () => Promise<boolean>;
}

/** A number is used once: what is deleted while the file is rewritten is noted still. */
const NOTE = `CREATE TABLE IF NOT EXISTS unerased (number INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
INSERT INTO unerased DEFAULT VALUES`;
const HAS_NOTES = "SELECT 1 FROM sqlite_schema WHERE name = 'unerased'";

/** Builds it over the connection that writes. */
export function createErasing({
  database,
  transactions,
  cipherKey,
}: Pick<IndexedDatabase, 'database' | 'transactions'> & { readonly cipherKey?: string | undefined }): Erasing {
  const readLast = (): number | null =>
    withStorageErrors(() => {
      if (database.prepare(HAS_NOTES).get() === undefined) return null;
      return database.prepare<[], number | null>('SELECT max(number) FROM unerased').pluck().get() ?? null;
    });
  return {
    note: () => void database.exec(NOTE),
    eraseNoted: async () => {
      const last = await transactions.run(readLast);
      if (last === null) return false;
      const erased = await transactions.runBetween(() => eraseInThread({ file: database.name, cipherKey }));
      // The log has it still: the next time.
      if (erased === 'log') return false;
      await transactions.run(() => database.prepare('DELETE FROM unerased WHERE number <= ?').run(last));
      return true;
    },
  };
}
