import type { StoredDocument } from '@contextloom/contracts';
import { createTimeSlices } from '@contextloom/runtime/scheduling';
import type { Database, Erasing, HybridIndex, IndexEntry, Transactions } from '@contextloom/sqlite';
import type {
  DocumentIndex,
  DocumentStore,
  DocumentWrite,
  PutOptions,
  PutOutcome,
  RestoredWrite,
} from '../../domain/store.ts';
import { toRefusal } from '../refusal.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, parseRevision, toRecord } from '../sql/rows.ts';
import { toSqlValue } from './selection-sql.ts';

interface KnownRow {
  readonly doc: number;
  readonly owner: string;
  readonly version: number;
  readonly created_at: string;
}

type History = Pick<StoredDocument, 'version' | 'created_at' | 'updated_at'>;

/** A document to be written, with what the index takes of it. */
interface Prepared {
  readonly one: DocumentWrite;
  readonly entry: IndexEntry;
}

function toNextHistory(before: KnownRow | undefined, at: string): History {
  return { version: (before?.version ?? 0) + 1, created_at: before?.created_at ?? at, updated_at: at };
}

/** Builds the writing of a document's attributes, step by step: there may be thousands. */
export function createAttributeWriter(database: Database, table: 'attributes' | 'attributes_next') {
  const forget = database.prepare<[number]>(`DELETE FROM ${table} WHERE doc = ?`);
  const add = database.prepare<[number, string, string | number]>(`INSERT INTO ${table} VALUES (?, ?, ?)`);
  return function* writeAttributes(doc: number, { attributes }: Pick<DocumentIndex, 'attributes'>): Generator<void> {
    forget.run(doc);
    for (const [name, value] of attributes) {
      add.run(doc, name, toSqlValue(value));
      yield;
    }
  };
}

/** Builds the writing of one document, inside a transaction. */
function createWriteDocument(database: Database, { put }: HybridIndex) {
  const writeAttributes = createAttributeWriter(database, 'attributes');
  const insert = database.prepare(`INSERT INTO documents
    (id, owner, version, created_at, updated_at, importance, time, tags, metadata, content, keys)
    VALUES (@id, @owner, @version, @created_at, @updated_at, @importance, @time, @tags, @metadata, @content, @keys)`);
  const update = database.prepare(`UPDATE documents SET owner = @owner, version = @version, created_at = @created_at,
    updated_at = @updated_at, importance = @importance, time = @time, tags = @tags, metadata = @metadata, content = @content, keys = @keys WHERE id = @id`);
  return function* writeDocument({ one, entry }: Prepared, history: History, before?: KnownRow): Generator<void> {
    const { document, owner, importance, time, index } = one;
    const { lastInsertRowid } = (before === undefined ? insert : update).run({
      id: document.id,
      owner,
      ...history,
      importance: importance ?? Number.NEGATIVE_INFINITY,
      time: time ?? Date.parse(history.created_at),
      tags: JSON.stringify(document.tags),
      metadata: JSON.stringify(document.metadata),
      content: document.content,
      keys: JSON.stringify(document.keys ?? []),
    });
    const doc = before?.doc ?? Number(lastInsertRowid);
    put(doc, entry);
    yield* writeAttributes(doc, index);
  };
}

/** What writing works with. */
export interface WriterOptions {
  readonly database: Database;
  readonly transactions: Transactions;
  readonly index: HybridIndex;
  readonly erasing: Erasing;
}

/** The writing half of the embedded store; each method is one transaction. */
export function createWriter({
  database,
  transactions,
  index,
  erasing,
}: WriterOptions): Pick<DocumentStore, 'put' | 'restore' | 'replace' | 'remove'> {
  const runInSlices = createTimeSlices();
  const writeDocument = createWriteDocument(database, index);
  const columns = 'doc, owner, version, created_at';
  const known = database.prepare<[string], KnownRow>(`SELECT ${columns} FROM documents WHERE id = ?`);
  const atRevision = database.prepare<[number, number], KnownRow>(
    `SELECT ${columns} FROM documents WHERE doc = ? AND version = ?`,
  );
  const removeRow = database.prepare<[number]>('DELETE FROM documents WHERE doc = ?');
  const readRow = database.prepare<[string], DocumentRow>(`SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.id = ?`);

  /** Counts the words before the transaction: it then lasts no longer than its statements. */
  const prepareAll = async <Write extends DocumentWrite>(writes: readonly Write[]) => {
    const prepared: (Prepared & { readonly one: Write })[] = [];
    for (const one of writes) {
      prepared.push(await runInSlices(() => ({ one, entry: index.toEntry(one.index.text, one.vector) })));
    }
    return prepared;
  };

  function* put(prepared: readonly Prepared[], { at, keepOwners }: PutOptions): Generator<void, PutOutcome> {
    index.check();
    for (const { one } of prepared) {
      const refusal = toRefusal(one, known.get(one.document.id), keepOwners);
      if (refusal !== undefined) return refusal;
    }
    for (const one of prepared) {
      const before = known.get(one.one.document.id);
      yield* writeDocument(one, toNextHistory(before, at), before);
      yield;
    }
    return { kind: 'stored' };
  }
  function* restore(prepared: readonly (Prepared & { readonly one: RestoredWrite })[]): Generator<void, void> {
    index.check();
    for (const one of prepared) {
      const before = known.get(one.one.document.id);
      // A revision must not come back: removing the row first gives the document another.
      if (before !== undefined) removeRow.run(before.doc);
      const { version, created_at, updated_at } = one.one.document;
      yield* writeDocument(one, { version, created_at, updated_at });
      yield;
    }
  }
  return {
    put: async (writes, options) => {
      const prepared = await prepareAll(writes);
      return transactions.runInSlices(() => put(prepared, options));
    },
    restore: async (writes) => {
      const prepared = await prepareAll(writes);
      return transactions.runInSlices(() => restore(prepared));
    },
    replace: async (revision, write, { at }) => {
      const [prepared] = await prepareAll([write]);
      return transactions.runInSlices(function* () {
        index.check();
        const { doc, version } = parseRevision(revision);
        const before = atRevision.get(doc, version);
        if (before === undefined || prepared === undefined) return 'stale' as const;
        yield* writeDocument(prepared, toNextHistory(before, at), before);
        const after = readRow.get(write.document.id);
        return after === undefined ? ('stale' as const) : toRecord(after);
      });
    },
    remove: (revision, { isForgotten = false } = {}) =>
      transactions.run(() => {
        const { doc, version } = parseRevision(revision);
        if (atRevision.get(doc, version) === undefined) return 'stale';
        removeRow.run(doc);
        if (isForgotten) erasing.note();
        return 'removed';
      }),
  };
}
