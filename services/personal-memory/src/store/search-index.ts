import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { RelevanceScale } from '@contextloom/retrieval/ranking';
import { createLazy } from '@contextloom/runtime/scheduling';
import {
  createHybridIndex,
  type HybridIndex,
  type IndexDefinition,
  type IndexedDatabase,
  type SqlPart,
} from '@contextloom/sqlite';
import type { Searchable } from '../domain/store.ts';
import { rankRows, toDepth } from './sql/rank-rows.ts';
import type { Sql } from './sql/sql.ts';
import type { RowIndex } from './sql/user-memory.ts';

/** The search index of one table of a file. */
export interface SearchIndex extends RowIndex {
  /** Makes the vectors of texts that were stored without one, as far as the embedder can be reached; answers how many. */
  readonly embedWaiting: () => Promise<number>;
  /** How many texts have no vector yet. */
  readonly countWaiting: () => number;
}

/** Reads the texts of rows; those that are gone are left out. */
type ReadTexts = (sql: Sql, rows: readonly number[]) => Promise<ReadonlyMap<number, string>>;

/** What an index is made from. */
export interface SearchIndexOptions {
  readonly indexed: IndexedDatabase;
  readonly definition: IndexDefinition;
  /** Its table and alias in a statement, such as `events e`, and the column of its rows. */
  readonly from: { readonly table: string; readonly row: string };
  /** What relevance means with the embedder. */
  readonly scale?: RelevanceScale | undefined;
  readonly textsOf: ReadTexts;
  /** What was committed. */
  readonly reading: Sql;
  /** The statements of the transaction that is under way. */
  readonly writing: Sql;
  readonly toSearchable: (text: string) => Promise<Searchable>;
}

/** Rows whose vectors are made and written together. */
const BATCH = 32;

function createReady(index: HybridIndex, { textsOf, reading, toSearchable }: SearchIndexOptions): () => Promise<void> {
  const derive = async (rows: readonly number[]) => {
    const texts = await textsOf(reading, rows);
    return Promise.all(
      Array.from(texts, async ([row, text]) => {
        const { tokens, vector } = await toSearchable(text);
        return { row, entry: index.toEntry(tokens, vector ?? null) };
      }),
    );
  };
  const prepare = async (): Promise<void> => {
    if (!(await index.claim())) await index.upgrade({ derive });
  };
  return createLazy(prepare).get;
}

/** A text refused by the embedder stays without a vector; while the embedder is out of reach, all do. */
function createEmbedWaiting(index: HybridIndex, options: SearchIndexOptions) {
  const { indexed, textsOf, reading, writing, toSearchable } = options;
  const embed = async ([row, text]: [number, string]) => {
    try {
      return [{ row, text, searchable: await toSearchable(text) }];
    } catch (error) {
      if (isContextloomError(error)) return [];
      throw error;
    }
  };
  return async (): Promise<number> => {
    let made = 0;
    for (let rows = index.withoutVector(BATCH); rows.length > 0; rows = index.withoutVector(BATCH, rows.at(-1))) {
      const embedded = (await Promise.all([...(await textsOf(reading, rows))].map(embed))).flat();
      made += await indexed.transactions.run(async () => {
        index.check();
        // What changed meanwhile has another vector, or waits for one.
        const present = await textsOf(
          writing,
          embedded.map(({ row }) => row),
        );
        const same = embedded.filter(({ row, text }) => present.get(row) === text);
        const known = same.filter(({ searchable }) => searchable.vector !== undefined);
        for (const { row, searchable } of known) index.put(row, index.toEntry(searchable.tokens, searchable.vector));
        return known.length;
      });
      if (embedded.some(({ searchable }) => searchable.vector === undefined)) return made;
    }
    return made;
  };
}

/** Builds the search index of a table. */
export function createSearchIndex(options: SearchIndexOptions): SearchIndex {
  const { indexed, definition, from, reading, scale } = options;
  const toMismatchError = (): ContextloomError =>
    new ContextloomError('unavailable', 'a server with another embedder has indexed this memory: restart this one');
  const index = createHybridIndex({ indexed, definition, toMismatchError });
  const ready = createReady(index, options);
  const embedWaiting = createEmbedWaiting(index, options);
  return {
    ready,
    embedWaiting: async () => {
      await ready();
      return embedWaiting();
    },
    countWaiting: () => index.countWithoutVector(),
    put: async (_sql, row, { tokens, vector }) => {
      index.check();
      index.put(row, index.toEntry(tokens, vector ?? null));
    },
    search: async (_user, query, where) => {
      const { text, question } = query;
      const tokens = question?.tokens ?? text.tokens;
      // In this dialect a list is a text.
      const params = where.params as SqlPart['params'];
      const selection = { sql: `SELECT ${from.row} FROM ${from.table} WHERE ${where.sql}`, params };
      const hits = await index.search({ tokens, vector: text.vector, selection, limit: toDepth(query) });
      return rankRows(hits, query, { scale, textsOf: (rows) => options.textsOf(reading, rows) });
    },
  };
}
