import { createQueryEmbedder, type Embedder } from '@contextloom/llm';
import { toRelevanceScale } from '@contextloom/retrieval/ranking';
import type { Log } from '@contextloom/runtime';
import {
  createErasing,
  createHybridIndex,
  type IndexedDatabase,
  openIndexedDatabase,
  openReadOnly,
  withStorageErrors,
} from '@contextloom/sqlite';
import type { EntryIndex, IndexedFile } from '../../domain/ports/entry-index.ts';
import { type EntryRow, toCondition, toIndexedEntry, toMemoryEntry } from './entry-rows.ts';
import { createEntryWriter } from './entry-writer.ts';
import { entriesIndex, FORGET_FILES, migrations } from './schema.ts';
import { createEntrySearch } from './search-entries.ts';

/** What an index is opened with. */
export interface SqliteEntryIndexOptions {
  readonly file: string;
  readonly embedder: Embedder;
  /** What else the rows depend on, such as the time zone: an index of another origin is made again. */
  readonly origin: string;
  readonly log: Log;
}

/** Bump when tokens or vectors are derived in another way. */
const VERSION = 2;

/** Empties an index that something else derived; it is filled again from the files. */
function prepareOrigin({ database }: IndexedDatabase, origin: string): void {
  const found = database.prepare<[], string>("SELECT value FROM origin WHERE name = 'origin'").pluck().get();
  if (found === origin) return;
  database.transaction(() => {
    database.exec(`${FORGET_FILES}; DELETE FROM memory_entries`);
    database.prepare("INSERT OR REPLACE INTO origin VALUES ('origin', ?)").run(origin);
  })();
}

/**
 * Opens the index that is derived from a workspace.
 * @throws ContextloomError `unavailable`, `no_space`
 */
export async function openSqliteEntryIndex(options: SqliteEntryIndexOptions): Promise<EntryIndex> {
  const indexed = openIndexedDatabase({ file: options.file, migrations });
  try {
    return await createEntryIndex(indexed, options);
  } catch (error) {
    await indexed.close();
    return withStorageErrors(() => {
      throw error;
    });
  }
}

async function createEntryIndex(indexed: IndexedDatabase, options: SqliteEntryIndexOptions): Promise<EntryIndex> {
  const { embedder, log } = options;
  const { provider, model, dimensions } = embedder.identity;
  const fingerprint = JSON.stringify([provider, model, dimensions, VERSION]);
  prepareOrigin(indexed, JSON.stringify([fingerprint, options.origin]));
  const index = createHybridIndex({ definition: { ...entriesIndex, dimensions, fingerprint }, indexed });
  await index.claim();
  const warn = (cause: unknown) => log.warn({ cause }, 'the embedder does not answer; words alone are searched');
  const embedQuery = createQueryEmbedder(embedder, { onFailure: warn });
  const { database, transactions } = indexed;
  // What a loss of power takes from the end of the log is made again from the files; no flush of each transaction is needed.
  database.pragma('synchronous = NORMAL');
  database.pragma('wal_autocheckpoint = 8000'); // In pages: the 100,000 entries of ten years are some 60,000.
  const removeSome = database.prepare(
    'DELETE FROM memory_entries WHERE entry IN (SELECT entry FROM memory_entries LIMIT 100)',
  );
  const erasing = createErasing(indexed);
  const writer = createEntryWriter({ indexed, index, embedder, erasing, onFailure: warn });
  // A connection of its own: what is read on the other one would see transactions that are under way.
  const reader = openReadOnly(database.name);
  const byId = reader.prepare<[string], EntryRow>('SELECT * FROM memory_entries WHERE id = ?');
  const byFile = reader.prepare<[string], EntryRow>(
    'SELECT * FROM memory_entries WHERE source_file = ? ORDER BY position',
  );
  const waiting = reader
    .prepare<[string], string>(
      `SELECT DISTINCT source_file FROM memory_entries
       WHERE written_id <> id AND written_id IN (SELECT value FROM json_each(?))`,
    )
    .pluck();
  const countWaiting = reader.prepare<[], number>('SELECT count(*) FROM memory_entries WHERE has_vector = 0').pluck();
  const filesOf = reader.prepare<[string], Pick<EntryRow, 'id' | 'source_file'>>(
    'SELECT e.id, e.source_file FROM json_each(?) asked CROSS JOIN memory_entries e ON e.id = asked.value',
  );
  const editsOf = reader.prepare<[string], { id: string; edited_at: string }>(
    'SELECT id, edited_at FROM edits WHERE id IN (SELECT value FROM json_each(?))',
  );
  const summaryOf = reader
    .prepare<[string], string | null>('SELECT summary FROM daily_logs WHERE file_path = ?')
    .pluck();
  const ended = reader.prepare<[number], Pick<EntryRow, 'id' | 'source_file'>>(
    'SELECT id, source_file FROM memory_entries WHERE ends_at <= ?',
  );
  const addReceipt = database.prepare('INSERT OR REPLACE INTO receipts VALUES (?, ?)');
  const stampOf = reader.prepare<[string], string>('SELECT stamp FROM files WHERE path = ?').pluck();

  return {
    stamps: () =>
      new Map(
        reader
          .prepare<[], { path: string; stamp: string }>('SELECT path, stamp FROM files')
          .all()
          .map(({ path, stamp }) => [path, stamp]),
      ),
    stampOf: (path) => stampOf.get(path),
    summaryOf: (path) => summaryOf.get(path) ?? undefined,
    put: (files: readonly IndexedFile[]) => writer.put(files),
    remove: (paths) => writer.remove(paths),
    get: (id) => {
      const row = byId.get(id);
      return row && toIndexedEntry(row);
    },
    ofFile: (path) => byFile.all(path).map(toIndexedEntry),
    filesOf: (ids) => new Map(filesOf.all(JSON.stringify(ids)).map(({ id, source_file }) => [id, source_file])),
    editsOf: (ids) => new Map(editsOf.all(JSON.stringify(ids)).map(({ id, edited_at }) => [id, edited_at])),
    filesWaitingFor: (ids) => waiting.all(JSON.stringify(ids)),
    list: (selection, { limit, offset }) => {
      const { sql: chosen, params } = toCondition(selection);
      // The summary of a day is not one of its entries.
      const sql = `${chosen} AND NOT (in_text = 1 AND content_type = 'summary')`;
      const rows = reader
        .prepare<(string | number)[], EntryRow>(
          `SELECT * FROM memory_entries WHERE ${sql}
           ORDER BY date DESC, created_at DESC, source_file DESC, position DESC LIMIT ? OFFSET ?`,
        )
        .all(...params, limit, offset);
      const total = reader
        .prepare<(string | number)[], number>(`SELECT count(*) FROM memory_entries WHERE ${sql}`)
        .pluck()
        .get(...params);
      return { items: rows.map(toMemoryEntry), total: total ?? 0 };
    },
    search: createEntrySearch({
      index,
      embedQuery,
      readEntry: (id) => byId.get(id),
      scale: toRelevanceScale(embedder.identity),
    }),
    ended: (now) => ended.all(now),
    addReceipts: (ids, at) =>
      transactions.run(() => {
        for (const id of ids) addReceipt.run(id, at.toISOString());
      }),
    completeVectors: () => writer.completeVectors(),
    countWaiting: () => countWaiting.get() ?? 0,
    clear: () =>
      transactions.runInSlices(function* () {
        database.exec(FORGET_FILES);
        while (removeSome.run().changes > 0) yield;
      }),
    eraseRemoved: erasing.eraseNoted,
    count: () => reader.prepare<[], number>('SELECT count(*) FROM memory_entries').pluck().get() ?? 0,
    close: async () => {
      reader.close();
      await indexed.close();
    },
  };
}
