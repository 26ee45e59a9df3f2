import type { ContextloomError, StoredDocument } from '@contextloom/contracts';
import { Raced, toPostgresText, type Value } from '@contextloom/postgres';
import { createTimeSlices } from '@contextloom/runtime/scheduling';
import { type IndexEntry, toIndexEntry } from '@contextloom/sqlite';
import type { DocumentStore, DocumentWrite, PutOptions, PutOutcome, RestoredWrite } from '../../domain/store.ts';
import { toRefusal } from '../refusal.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, parseRevision } from '../sql/rows.ts';
import type { DocumentDatabase } from './database.ts';
import { toGivenRecord } from './rows.ts';
import { toAttributesJson } from './text.ts';
import type { Transaction } from './transaction.ts';

interface KnownRow {
  readonly doc: number;
  readonly id: string;
  readonly owner: string;
  readonly version: number;
  readonly created_at: string;
}

type History = Pick<StoredDocument, 'version' | 'created_at' | 'updated_at'>;

/** A document to be written, with what the index takes of it. */
interface Prepared<Write extends DocumentWrite = DocumentWrite> {
  readonly one: Write;
  readonly id: string;
  readonly entry: IndexEntry;
}

const KNOWN = 'doc, id, owner, version, created_at';

const toNextHistory = (before: KnownRow | undefined, at: string): History => ({
  version: (before?.version ?? 0) + 1,
  created_at: before?.created_at ?? at,
  updated_at: at,
});

/** The columns of a document in their order, but for what is derived of its text. */
const COLUMNS =
  'id, owner, version, created_at, updated_at, importance, time, tags, metadata, content, keys, attributes, words';
const PLACES = `?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?`;

function toValues({ one, id, entry }: Prepared, { version, created_at, updated_at }: History): readonly Value[] {
  const { document, owner, importance, time, index } = one;
  return [
    id,
    toPostgresText(owner),
    version,
    created_at,
    updated_at,
    importance ?? Number.NEGATIVE_INFINITY,
    time ?? Date.parse(created_at),
    JSON.stringify(document.tags),
    JSON.stringify(document.metadata),
    toPostgresText(document.content),
    JSON.stringify(document.keys ?? []),
    toAttributesJson(index.attributes),
    entry.words,
  ];
}

/** Adds a document; one that another call has added meanwhile has the whole transaction begin again. */
async function insert({ query }: Transaction, prepared: Prepared, history: History): Promise<KnownRow> {
  const { vector = null, norm = null } = prepared.entry;
  const [row] = await query<KnownRow>(
    `INSERT INTO documents (${COLUMNS}, vector, norm) VALUES (${PLACES}, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING ${KNOWN}`,
    [...toValues(prepared, history), vector, norm],
  );
  if (row === undefined) throw new Raced('a document with this id was added meanwhile');
  return row;
}

async function update({ query }: Transaction, prepared: Prepared, history: History, doc: number): Promise<void> {
  const { vector, norm = null } = prepared.entry;
  // Without a vector the text is the same, and keeps the one that it has.
  const sets = vector === undefined ? '' : ', vector = ?, norm = ?';
  await query(`UPDATE documents SET entry = nextval('entries'), (${COLUMNS}) = ROW (${PLACES})${sets} WHERE doc = ?`, [
    ...toValues(prepared, history),
    ...(vector === undefined ? [] : [vector, norm]),
    doc,
  ]);
  await query('DELETE FROM next WHERE doc = ?', [doc]);
}

/** What writing works with. */
export interface WriterOptions {
  readonly database: DocumentDatabase;
  readonly dimensions: number;
  /** Why nothing may be written to an index; undefined where it may. */
  readonly toRefusal: (fingerprint: string) => ContextloomError | undefined;
}

const byId = (a: Prepared, b: Prepared): number => (a.id < b.id ? -1 : Number(a.id > b.id));

/** Puts documents, inside a transaction. */
async function put(sql: Transaction, prepared: readonly Prepared[], options: PutOptions): Promise<PutOutcome> {
  // In the order of the ids, as everybody locks them: two calls never wait for each other.
  const rows = await sql.query<KnownRow>(
    `SELECT ${KNOWN} FROM documents WHERE id = ANY (?::text[]) ORDER BY id FOR UPDATE`,
    [prepared.map(({ id }) => id)],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const { one, id } of prepared) {
    const refusal = toRefusal({ ...one, owner: toPostgresText(one.owner) }, known.get(id), options.keepOwners);
    if (refusal !== undefined) return refusal;
  }
  for (const one of [...prepared].sort(byId)) {
    const before = known.get(one.id);
    const history = toNextHistory(before, options.at);
    if (before === undefined) known.set(one.id, await insert(sql, one, history));
    else {
      await update(sql, one, history, before.doc);
      known.set(one.id, { ...before, ...history });
    }
  }
  return { kind: 'stored' };
}

/** The row of a revision, locked until the end of the transaction; undefined where it is at another one. */
async function lockRevision({ query }: Transaction, revision: string): Promise<KnownRow | undefined> {
  const { doc, version } = parseRevision(revision);
  if (!Number.isSafeInteger(doc) || !Number.isSafeInteger(version)) return undefined;
  const [row] = await query<KnownRow>(`SELECT ${KNOWN} FROM documents WHERE doc = ? AND version = ? FOR UPDATE`, [
    doc,
    version,
  ]);
  return row;
}

/** The writing half of the store in Postgres; each method is one transaction. */
export function createWriter({
  database,
  dimensions,
  toRefusal: toMismatch,
}: WriterOptions): Pick<DocumentStore, 'put' | 'restore' | 'replace' | 'remove'> {
  const runInSlices = createTimeSlices();
  const check = ({ fingerprint }: Transaction): void => {
    const refusal = toMismatch(fingerprint);
    if (refusal !== undefined) throw refusal;
  };
  /** Counts the words before the transaction: it then lasts no longer than its statements. */
  const prepareAll = async <Write extends DocumentWrite>(writes: readonly Write[]): Promise<Prepared<Write>[]> => {
    const prepared: Prepared<Write>[] = [];
    for (const one of writes) {
      const entry = await runInSlices(() => toIndexEntry(one.index.text, one.vector, dimensions));
      prepared.push({ one, entry, id: toPostgresText(one.document.id) });
    }
    return prepared;
  };
  return {
    put: async (writes, options) => {
      const prepared = await prepareAll(writes);
      return database.write((sql) => {
        check(sql);
        return put(sql, prepared, options);
      });
    },
    restore: async (writes: readonly RestoredWrite[]) => {
      const prepared = (await prepareAll(writes)).sort(byId);
      await database.write(async (sql) => {
        check(sql);
        // A revision must not come back: removing the row first gives the document another.
        await sql.query('DELETE FROM documents WHERE id = ANY (?::text[])', [prepared.map(({ id }) => id)]);
        for (const one of prepared) await insert(sql, one, one.one.document);
      });
    },
    replace: async (revision, write, { at }) => {
      const [prepared] = await prepareAll([write]);
      return database.write(async (sql) => {
        check(sql);
        const before = await lockRevision(sql, revision);
        if (before === undefined || prepared === undefined) return 'stale';
        await update(sql, prepared, toNextHistory(before, at), before.doc);
        const [row] = await sql.query<DocumentRow>(`SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.doc = ?`, [
          before.doc,
        ]);
        return row === undefined ? 'stale' : toGivenRecord(row);
      });
    },
    remove: (revision) =>
      database.write(async (sql) => {
        const before = await lockRevision(sql, revision);
        if (before === undefined) return 'stale';
        await sql.query('DELETE FROM documents WHERE doc = ?', [before.doc]);
        return 'removed';
      }),
  };
}
