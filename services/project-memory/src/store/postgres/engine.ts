import type { Forgotten } from '@contextloom/contracts';
import type { StoreEngine } from '../database.ts';
import { countRows, deleteRows } from '../forget-owner.ts';
import { eraseDeadRows } from './erase-dead-rows.ts';
import { findNearest, readSimilar } from './nearest-memories.ts';
import type { PostgresDatabase } from './pg-database.ts';
import type { Layout } from './schema/layout.ts';
import { prepareDatabase } from './schema/prepare-database.ts';
import { findByVector, findByWords } from './search-fragments.ts';
import { EXACT_UP_TO, type VectorSearch } from './vector-search.ts';

/** How memories are kept in Postgres. */
export interface PostgresEngineOptions {
  readonly layout?: Layout | undefined;
  /** Up to so many rows a search compares all of its selection; 10,000 by default. */
  readonly exactUpTo?: number;
}

/** Erases an owner and what the rows leave in the files. Tables are rewritten: others wait meanwhile. */
async function forgetOwner(database: PostgresDatabase, ownerId: string, isDryRun: boolean): Promise<Forgotten> {
  if (isDryRun) return { erased: await countRows(database, ownerId), unreached: [] };
  const { erased, transaction } = await database.transaction(async (sql) => {
    const counts = await countRows(sql, ownerId);
    await deleteRows(sql, ownerId);
    const [current] = await sql.query<{ id: string }>('select cast(pg_current_xact_id() as text) as id');
    return { erased: counts, transaction: current?.id ?? '' };
  });
  return { erased, unreached: await eraseDeadRows(database, transaction) };
}

/** Keeps memories in Postgres; pgvector's indexes are used where there are some. */
export function createPostgresEngine(
  database: PostgresDatabase,
  { layout, exactUpTo = EXACT_UP_TO }: PostgresEngineOptions = {},
): StoreEngine {
  return {
    database,
    place: 'the Postgres server of DATABASE_URL',
    prepare: async (options) => {
      const search: VectorSearch = { ...(await prepareDatabase(database, { ...options, layout })), exactUpTo };
      const { pgvector } = search;
      return {
        comparison:
          pgvector === undefined
            ? 'vectors are compared exactly, without pgvector'
            : `pgvector ${pgvector} finds the nearest of more than ${exactUpTo} vectors`,
        findByVector: (selection, query, limit) =>
          findByVector(database.until(selection.signal), search, selection, query, limit),
        findByWords: (selection, tokens, limit) =>
          findByWords(database.until(selection.signal), selection, tokens, limit),
        findNearest: (sql, change, projectId) => findNearest(sql, search, change, projectId),
        similar: (reach, ids, least, limit) =>
          readSimilar(database.until(reach.signal), search, reach, ids, least, limit),
      };
    },
    forget: (ownerId, isDryRun) => forgetOwner(database, ownerId, isDryRun),
  };
}
