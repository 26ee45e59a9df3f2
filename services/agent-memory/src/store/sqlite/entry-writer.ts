import { isContextloomError } from '@contextloom/contracts';
import type { Embedder } from '@contextloom/llm';
import { tokenize } from '@contextloom/retrieval';
import type { Erasing, HybridIndex, IndexedDatabase } from '@contextloom/sqlite';
import type { IndexedEntry, IndexedFile } from '../../domain/ports/entry-index.ts';
import { type EntryRow, type IndexedTexts, toColumns, toIndexedText } from './entry-rows.ts';
import { createFactTables } from './fact-tables.ts';

/** What writes the rows of entries. */
export interface EntryWriterOptions {
  readonly indexed: IndexedDatabase;
  readonly index: HybridIndex;
  readonly embedder: Embedder;
  readonly erasing: Erasing;
  /** Called when vectors could not be made: the rows are written without. */
  readonly onFailure: (cause: unknown) => void;
}

/** Texts a call of the embedder. */
const BATCH = 128;
/** Of a longer text, which only a person can have written, the beginning is embedded: models take some 8,000 tokens. */
const MAX_EMBEDDED = 10_000;
const COLUMNS = [
  'id',
  'content',
  'content_type',
  'source_file',
  'date',
  'created_at',
  'updated_at',
  'label',
  'metadata',
  'position',
  'written_id',
  'in_text',
  'ends_at',
];

/** Builds what writes rows: a row whose text stays keeps its vector. */
export function createEntryWriter({ indexed, index, embedder, erasing, onFailure }: EntryWriterOptions) {
  const { database, transactions } = indexed;
  const facts = createFactTables(database);
  const findText = database.prepare<[string], IndexedTexts>('SELECT label, content FROM memory_entries WHERE id = ?');
  const idsOfFile = database.prepare<[string], string>('SELECT id FROM memory_entries WHERE source_file = ?').pluck();
  const remove = database.prepare<[string]>('DELETE FROM memory_entries WHERE id = ?');
  const insert = database.prepare(
    `INSERT INTO memory_entries (${COLUMNS.join(', ')}, has_vector) VALUES (${COLUMNS.map((one) => `@${one}`).join(', ')}, @has_vector)`,
  );
  // A row that stays the same is not written: changing one entry does not rewrite all entries of its file.
  const update = database.prepare(
    `UPDATE memory_entries SET ${COLUMNS.map((one) => `${one} = @${one}`).join(', ')}
     WHERE id = @id AND (${COLUMNS.join(', ')}) IS NOT (${COLUMNS.map((one) => `@${one}`).join(', ')})`,
  );
  const putFile = database.prepare('INSERT OR REPLACE INTO files VALUES (?, ?)');
  const removeFile = database.prepare('DELETE FROM files WHERE path = ?');
  const withoutVector = database.prepare<[number], Pick<EntryRow, 'entry'> & IndexedTexts>(
    'SELECT entry, label, content FROM memory_entries WHERE has_vector = 0 ORDER BY entry LIMIT ?',
  );
  const putEdit = database.prepare<[string, string]>('INSERT OR REPLACE INTO edits VALUES (?, ?)');
  const noteVector = database.prepare<[number]>('UPDATE memory_entries SET has_vector = 1 WHERE entry = ?');

  /** Removes those that a file no longer has: their words are gone from it, and are to be from the index. */
  const removeGone = (path: string, ids: ReadonlySet<string> = new Set()): void => {
    const gone = idsOfFile.all(path).filter((id) => !ids.has(id));
    for (const id of gone) remove.run(id);
    if (gone.length > 0) erasing.note();
  };
  const isNew = (entry: IndexedEntry): boolean => {
    const known = findText.get(entry.id);
    return known === undefined || toIndexedText(known) !== toIndexedText(entry);
  };

  /** Vectors by text, as far as they can be made. */
  async function embed(texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
    for (let from = 0; from < texts.length; from += BATCH) {
      const batch = texts.slice(from, from + BATCH);
      try {
        const made = await embedder.embed(batch.map((text) => text.slice(0, MAX_EMBEDDED)));
        batch.forEach((text, at) => {
          const vector = made[at];
          if (vector !== undefined) vectors.set(text, vector);
        });
      } catch (error) {
        if (!isContextloomError(error)) throw error;
        onFailure(error);
        return vectors;
      }
    }
    return vectors;
  }

  function putEntry(entry: IndexedEntry, vectors: ReadonlyMap<string, Float32Array>): void {
    if (entry.editedAt !== undefined) putEdit.run(entry.id, entry.editedAt);
    if (!isNew(entry)) {
      update.run(toColumns(entry));
      return;
    }
    remove.run(entry.id);
    const text = toIndexedText(entry);
    const vector = vectors.get(text);
    const { lastInsertRowid } = insert.run({ ...toColumns(entry), has_vector: vector === undefined ? 0 : 1 });
    index.put(Number(lastInsertRowid), index.toEntry(tokenize(text, { keepStopWords: true }), vector));
  }

  return {
    put: async (files: readonly IndexedFile[]): Promise<void> => {
      const texts = files.flatMap(({ entries }) => entries.filter(isNew).map(toIndexedText));
      const vectors = await embed([...new Set(texts)]);
      await transactions.runInSlices(function* () {
        for (const file of files) {
          const { path, stamp, entries } = file;
          removeGone(path, new Set(entries.map(({ id }) => id)));
          for (const entry of entries) {
            putEntry(entry, vectors);
            yield;
          }
          facts.put(file);
          putFile.run(path, stamp);
        }
      });
    },
    remove: (paths: readonly string[]): Promise<void> =>
      transactions.run(() => {
        for (const path of paths) {
          removeGone(path);
          facts.remove(path);
          removeFile.run(path);
        }
      }),
    completeVectors: async (): Promise<number> => {
      for (;;) {
        const rows = withoutVector.all(BATCH);
        if (rows.length === 0) return 0;
        const vectors = await embed(rows.map(toIndexedText));
        if (vectors.size === 0) return rows.length;
        await transactions.run(() => {
          for (const row of rows) {
            const text = toIndexedText(row);
            const vector = vectors.get(text);
            if (vector === undefined || noteVector.run(row.entry).changes === 0) continue;
            index.put(row.entry, index.toEntry(tokenize(text, { keepStopWords: true }), vector));
          }
        });
      }
    },
  };
}
