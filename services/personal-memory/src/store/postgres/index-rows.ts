import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { RelevanceScale } from '@contextloom/retrieval/ranking';
import { createLazy } from '@contextloom/runtime/scheduling';
import { createEntrySearch, type EntryRow, toIndexEntry } from '@contextloom/sqlite';
import type { Searchable } from '../../domain/store.ts';
import { rankRows, toDepth } from '../sql/rank-rows.ts';
import type { Sql } from '../sql/sql.ts';
import type { RowIndex } from '../sql/user-memory.ts';
import type { PostgresDatabase } from './database.ts';
import { readState, writeState } from './state.ts';

/** What the index of memories in Postgres is made from. */
export interface IndexOptions {
  readonly database: PostgresDatabase;
  readonly toSearchable: (text: string) => Promise<Searchable>;
  readonly dimensions: number;
  /** Names the embedder. */
  readonly fingerprint: string;
  readonly cacheBytes: number;
}

/** One of the two tables that are searched. */
export interface IndexedTable {
  /** Its table and alias in a statement, such as `events e`, and the column of its rows. */
  readonly from: string;
  readonly row: string;
  /** The table of its entries. */
  readonly entries: 'event_entries' | 'profile_entries';
  /** What relevance means with the embedder. */
  readonly scale?: RelevanceScale | undefined;
  /** The texts of rows; those that are gone are left out. */
  readonly textsOf: (sql: Sql, rows: readonly number[]) => Promise<ReadonlyMap<number, string>>;
}

/** The index of one table. */
interface PostgresIndex extends Pick<RowIndex, 'put' | 'search'> {
  /** Derives again what something else derived. */
  readonly derive: () => Promise<void>;
  /** Makes the vectors of texts that were stored without one; answers how many. */
  readonly embedWaiting: () => Promise<number>;
  readonly countWaiting: () => Promise<number>;
}

/** Rows whose entries are made and written together. */
const BATCH = 32;
/** Of two hits with the same score the row that was stored last comes first. */
const toSortKey = (row: number): string => String(Number.MAX_SAFE_INTEGER - row).padStart(16, '0');

interface Waiting {
  readonly row: number;
  readonly entry: number;
}

const MISMATCH = 'a server with another embedder has indexed this memory: restart this one';

/**
 * Refuses to use an index that another embedder derives.
 * @throws ContextloomError `unavailable`
 */
export async function checkIndex(sql: Sql, own: string): Promise<void> {
  if ((await readState(sql, 'fingerprint')) !== own) throw new ContextloomError('unavailable', MISMATCH);
}

function createSearch({ database, dimensions, fingerprint, cacheBytes }: IndexOptions, table: IndexedTable) {
  const entries = createEntrySearch(cacheBytes, dimensions);
  const { from, row, entries: name, scale, textsOf } = table;
  const search: RowIndex['search'] = (user, query, where) =>
    database.read({ user }, async (sql) => {
      await checkIndex(sql, fingerprint);
      const { text, question } = query;
      const selected = await sql.query<Waiting>(
        `SELECT i.row, i.entry FROM ${name} i WHERE i.row IN (SELECT ${row} FROM ${from} WHERE ${where.sql})`,
        where.params,
      );
      const rowOf = new Map(selected.map((one) => [one.entry, one.row]));
      const toRows = (numbers: readonly number[]): readonly number[] => numbers.map((entry) => rowOf.get(entry) ?? 0);
      const best = await entries.search(
        [...rowOf.keys()],
        { tokens: question?.tokens ?? text.tokens, vector: text.vector },
        toDepth(query),
        (wanted) =>
          sql.query<EntryRow>(`SELECT entry AS row, words, vector, norm FROM ${name} WHERE row = ANY (?)`, [
            toRows(wanted),
          ]),
      );
      const { byWords, byVector } = best.toHits(new Map(Array.from(rowOf, ([entry, id]) => [entry, toSortKey(id)])));
      const toRow = <Hit extends { readonly row: number }>(hit: Hit): Hit => ({ ...hit, row: rowOf.get(hit.row) ?? 0 });
      const hits = { byWords: byWords.map(toRow), byVector: byVector.map(toRow) };
      return rankRows(hits, query, { scale, textsOf: (rows) => textsOf(sql, rows) });
    });
  return search;
}

/** Which entries are made again, and whether also while the embedder is out of reach. */
interface Stale {
  readonly where: string;
  readonly params?: readonly string[];
  readonly goesOn?: boolean;
}

/** Makes entries of rows, batch by batch, and writes those whose text is the same as before. */
function createRefresh({ database, fingerprint, dimensions, toSearchable }: IndexOptions, table: IndexedTable) {
  const { entries, textsOf } = table;
  const embed = async ([row, text]: [number, string]) => {
    try {
      return [{ row, searchable: await toSearchable(text) }];
    } catch (error) {
      // A text refused by the embedder stays without a vector.
      if (isContextloomError(error)) return [];
      throw error;
    }
  };
  return async ({ where, params = [], goesOn = false }: Stale): Promise<number> => {
    let made = 0;
    for (let after = 0; ; ) {
      const from = after;
      const { waiting, texts } = await database.read('everyone', async (sql) => {
        const found = await sql.query<Waiting>(
          `SELECT row, entry FROM ${entries} WHERE row > ? AND ${where} ORDER BY row LIMIT ${BATCH}`,
          [from, ...params],
        );
        const rows = found.map(({ row }) => row);
        return { waiting: new Map(found.map(({ row, entry }) => [row, entry])), texts: await textsOf(sql, rows) };
      });
      if (waiting.size === 0) return made;
      const embedded = (await Promise.all([...texts].map(embed))).flat();
      await database.write('everyone', async (sql) => {
        await checkIndex(sql, fingerprint);
        for (const { row, searchable } of embedded) {
          const { words, vector, norm } = toIndexEntry(searchable.tokens, searchable.vector ?? null, dimensions);
          // What changed meanwhile has another entry.
          await sql.query(
            `UPDATE ${entries} SET entry = nextval('entries'), made_by = ?, words = ?, vector = ?, norm = ?
             WHERE row = ? AND entry = ?`,
            [fingerprint, words, vector ?? null, norm ?? null, row, waiting.get(row) ?? 0],
          );
        }
      });
      const known = embedded.filter(({ searchable }) => searchable.vector !== undefined).length;
      made += known;
      if (known < embedded.length && !goesOn) return made;
      after = Math.max(...waiting.keys());
    }
  };
}

/** Builds the index of one table. */
export function createPostgresIndex(options: IndexOptions, table: IndexedTable): PostgresIndex {
  const { database, fingerprint, dimensions } = options;
  const refresh = createRefresh(options, table);
  return {
    search: createSearch(options, table),
    put: async (sql, row, { tokens, vector }) => {
      const entry = toIndexEntry(tokens, vector ?? null, dimensions);
      await sql.query(
        `INSERT INTO ${table.entries} (row, made_by, words, vector, norm) VALUES (?, ?, ?, ?, ?) ON CONFLICT (row) DO UPDATE
         SET entry = excluded.entry, made_by = excluded.made_by, words = excluded.words, vector = excluded.vector,
           norm = excluded.norm`,
        [row, fingerprint, entry.words, entry.vector ?? null, entry.norm ?? null],
      );
    },
    derive: async () => {
      await refresh({ where: 'made_by <> ?', params: [fingerprint], goesOn: true });
    },
    embedWaiting: () => refresh({ where: 'vector IS NULL' }),
    countWaiting: () =>
      database.read('everyone', async ({ query }) => {
        const [row] = await query<{ count: number }>(
          `SELECT count(*) AS count FROM ${table.entries} WHERE vector IS NULL`,
        );
        return row?.count ?? 0;
      }),
  };
}

/** Builds the function that makes the index this program's: it resolves when all can be searched. */
export function createReady(
  { database, fingerprint }: IndexOptions,
  indexes: readonly Pick<PostgresIndex, 'derive'>[],
): () => Promise<void> {
  const claim = (): Promise<boolean> =>
    database.write('everyone', async (sql) => {
      const found = await readState(sql, 'fingerprint', 'FOR UPDATE');
      // From now on programs with the embedder of before are refused: vectors of two are never compared.
      if (found !== fingerprint) await writeState(sql, 'fingerprint', fingerprint);
      if (found !== fingerprint && found !== undefined) await writeState(sql, 'unfinished', fingerprint);
      return (await readState(sql, 'unfinished')) === undefined;
    });
  const prepare = async (): Promise<void> => {
    if (await claim()) return;
    await database.alone('index', async () => {
      for (const index of indexes) await index.derive();
      await database.write('everyone', (sql) => writeState(sql, 'unfinished', undefined));
    });
  };
  return createLazy(prepare).get;
}
