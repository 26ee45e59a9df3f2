import { ContextloomError } from '@contextloom/contracts';
import { createLazy } from '@contextloom/retrieval/scheduling';
import type { SqlDatabase } from '../../database.ts';
import { HolderLost } from './reach-database.ts';

/** How often one call is tried again, each time with another holder. */
const ATTEMPTS = 10;

/**
 * A database that one of several processes holds, whichever it is. When the holder ends in the middle of a call, the call is made
 * again with the next one: what was not acknowledged may have been committed, so work must bear being done twice.
 */
export async function shareDatabase(join: () => Promise<SqlDatabase>): Promise<SqlDatabase> {
  const joined = createLazy(join);
  let isClosed = false;
  const get = (): Promise<SqlDatabase> => {
    if (isClosed) throw new ContextloomError('unavailable', 'the database is closed');
    return joined.get();
  };
  const attempt = async <T>(work: (database: SqlDatabase) => Promise<T>): Promise<T> => {
    for (let left = ATTEMPTS; ; left -= 1) {
      const used = get();
      const database = await used;
      try {
        return await work(database);
      } catch (error) {
        if (!(error instanceof HolderLost)) throw error;
        if (joined.current() === used) {
          joined.drop(used);
          await database.close();
        }
        if (left > 0) continue;
        const message = 'the process that holds the database ended again and again; try again';
        throw new ContextloomError('unavailable', message, { cause: error });
      }
    }
  };
  await get();
  return {
    engine: 'pglite',
    query: (text, parameters) => attempt((database) => database.query(text, parameters)),
    run: (text) => attempt((database) => database.run(text)),
    transaction: (work) => attempt((database) => database.transaction(work)),
    close: async () => {
      isClosed = true;
      await (await joined.current())?.close();
    },
  };
}
