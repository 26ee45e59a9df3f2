import { createHash } from 'node:crypto';
import type { StoredDocument } from '@contextloom/contracts';
import { type Database, toVectorBlob } from '@contextloom/sqlite';
import type {
  DocumentIndex,
  DocumentWrite,
  PutOptions,
  PutOutcome,
  RestoredWrite,
  StoredRecord,
  Synchronous,
} from '../../domain/store.ts';
import type { FillingRecord } from './filling.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, parseRevision, toRecord } from './rows.ts';
import { toSqlValue } from './selection-sql.ts';

/** The token that stands for an owner in the keyword index. */
export function toOwnerToken(owner: string): string {
  return createHash('sha256').update(owner).digest('hex').slice(0, 32);
}

interface KnownRow {
  readonly doc: number;
  readonly owner: string;
  readonly version: number;
  readonly created_at: string;
}

type History = Pick<StoredDocument, 'version' | 'created_at' | 'updated_at'>;

function toNextHistory(before: KnownRow | undefined, at: string): History {
  return { version: (before?.version ?? 0) + 1, created_at: before?.created_at ?? at, updated_at: at };
}

/** Writes what is derived of a document. */
export function createIndexWriter(database: Database) {
  const forgetAttributes = database.prepare<[number]>('DELETE FROM attributes WHERE doc = ?');
  const addAttribute = database.prepare<[number, string, string | number]>('INSERT INTO attributes VALUES (?, ?, ?)');
  const setTokens = database.prepare<[number, string, string, string]>(
    'INSERT OR REPLACE INTO tokens (rowid, owner, terms, unigrams) VALUES (?, ?, ?, ?)',
  );
  return (doc: number, owner: string, { attributes, tokens }: Omit<DocumentIndex, 'vector'>): void => {
    forgetAttributes.run(doc);
    for (const [name, value] of attributes) addAttribute.run(doc, name, toSqlValue(value));
    setTokens.run(doc, toOwnerToken(owner), tokens.terms.join(' '), tokens.unigrams.join(' '));
  };
}

/** The writing half of the embedded store; each method is one transaction. */
export function createWriter(
  database: Database,
  filling: FillingRecord,
  dimensions: number,
): Synchronous<'put' | 'restore' | 'replace' | 'remove'> {
  const writeIndex = createIndexWriter(database);
  const known = database.prepare<[string], KnownRow>(
    'SELECT doc, owner, version, created_at FROM documents WHERE id = ?',
  );
  const insert = database.prepare(`INSERT INTO documents
    (id, owner, version, created_at, updated_at, importance, time, tags, metadata, content, keys)
    VALUES (@id, @owner, @version, @created_at, @updated_at, @importance, @time, @tags, @metadata, @content, @keys)`);
  const update = database.prepare(`UPDATE documents SET owner = @owner, version = @version, created_at = @created_at,
    updated_at = @updated_at, importance = @importance, time = @time, tags = @tags, metadata = @metadata, content = @content, keys = @keys WHERE id = @id`);
  const setVector = database.prepare<[number, Buffer]>('INSERT OR REPLACE INTO embeddings VALUES (?, ?)');
  const forgetNextVector = database.prepare<[number]>('DELETE FROM embeddings_next WHERE doc = ?');
  const atRevision = database.prepare<[number, number], KnownRow>(
    'SELECT doc, owner, version, created_at FROM documents WHERE doc = ? AND version = ?',
  );
  const readRow = database.prepare<[string], DocumentRow>(`SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.id = ?`);
  const removeTokens = database.prepare<[number]>('DELETE FROM tokens WHERE rowid = ?');
  const removeRow = database.prepare<[number]>('DELETE FROM documents WHERE doc = ?');

  const write = (
    { document, owner, importance, time, index, vector }: DocumentWrite,
    { version, created_at, updated_at }: History,
    before?: KnownRow,
  ): void => {
    const { lastInsertRowid } = (before === undefined ? insert : update).run({
      id: document.id,
      owner,
      version,
      created_at,
      updated_at,
      importance: importance ?? Number.NEGATIVE_INFINITY,
      time: time ?? Date.parse(created_at),
      tags: JSON.stringify(document.tags),
      metadata: JSON.stringify(document.metadata),
      content: document.content,
      keys: JSON.stringify(document.keys ?? []),
    });
    const doc = before?.doc ?? Number(lastInsertRowid);
    writeIndex(doc, owner, index);
    if (vector !== undefined) setVector.run(doc, toVectorBlob(vector, dimensions));
    forgetNextVector.run(doc);
  };

  const removeDocument = (doc: number): void => {
    removeTokens.run(doc);
    removeRow.run(doc);
  };

  const put = (writes: readonly DocumentWrite[], { at, keepOwners }: PutOptions): PutOutcome => {
    filling.check();
    const taken = writes.find(({ document, owner }) => {
      const holder = known.get(document.id);
      return keepOwners && holder !== undefined && holder.owner !== owner;
    });
    if (taken !== undefined) return { kind: 'owned_by_another', id: taken.document.id };
    for (const one of writes) {
      const before = known.get(one.document.id);
      write(one, toNextHistory(before, at), before);
    }
    return { kind: 'stored' };
  };

  const restore = (writes: readonly RestoredWrite[]): void => {
    filling.check();
    for (const one of writes) {
      const before = known.get(one.document.id);
      // A revision must not come back: removing the row first gives the document another.
      if (before !== undefined) removeDocument(before.doc);
      write(one, one.document);
    }
  };

  const replace = (revision: string, one: DocumentWrite, { at }: { at: string }): StoredRecord | 'stale' => {
    filling.check();
    const { doc, version } = parseRevision(revision);
    const before = atRevision.get(doc, version);
    if (before === undefined) return 'stale';
    write(one, toNextHistory(before, at), before);
    const after = readRow.get(one.document.id);
    return after === undefined ? 'stale' : toRecord(after);
  };

  const remove = (revision: string): 'removed' | 'stale' => {
    const { doc, version } = parseRevision(revision);
    if (atRevision.get(doc, version) === undefined) return 'stale';
    removeDocument(doc);
    return 'removed';
  };

  return {
    put: database.transaction(put).immediate,
    restore: database.transaction(restore).immediate,
    replace: database.transaction(replace).immediate,
    remove: database.transaction(remove).immediate,
  };
}
