import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { type IndexEntry, toIndexEntry } from '@contextloom/sqlite';
import type { Derive, DocumentIndex, RebuildOptions, RebuildReport } from '../../domain/store.ts';
import { DOCUMENT_COLUMNS } from '../sql/rows.ts';
import type { DocumentDatabase } from './database.ts';
import { INDEX_COLUMNS, type IndexedRow, toDerivable } from './rows.ts';
import { readState, writeState } from './state.ts';
import { toAttributesJson } from './text.ts';
import type { Transaction } from './transaction.ts';

/** Rows a transaction. */
const BATCH = 64;
/** How often the rebuild of another process is looked at, in milliseconds. */
const LOOK_MS = 250;

/** What a rebuild works with. */
export interface RebuildParts {
  readonly database: DocumentDatabase;
  readonly dimensions: number;
  /** The fingerprint of what this program derives. */
  readonly own: string;
}

interface Derived {
  readonly row: IndexedRow;
  readonly index: DocumentIndex;
  readonly entry: IndexEntry;
}

/** Counts the turns of rebuilds: of two at once the later goes on. */
async function begin(sql: Transaction, own: string, resume: boolean) {
  const turn = String(Number((await readState(sql, 'rebuild', 'FOR UPDATE')) ?? 0) + 1);
  await writeState(sql, 'rebuild', turn);
  // A change of a row removes its next entry: those left belong to the rows as they are now.
  if (!(resume && (await readState(sql, 'next')) === own)) {
    await sql.query('DELETE FROM next');
    await writeState(sql, 'next', own);
  }
  const [counted] = await sql.query<{ documents: number; done: number }>(
    'SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM next) AS done',
  );
  return { turn, documents: counted?.documents ?? 0, done: counted?.done ?? 0 };
}

async function checkTurn(sql: Transaction, turn: string): Promise<void> {
  if ((await readState(sql, 'rebuild', 'FOR SHARE')) === turn) return;
  throw new ContextloomError('conflict', 'the index is being rebuilt by another call, which goes on');
}

const MISSING = 'd.doc > ? AND NOT EXISTS (SELECT 1 FROM next n WHERE n.doc = d.doc)';

const readMissing = ({ query }: Transaction, after: number): Promise<readonly IndexedRow[]> =>
  query<IndexedRow>(
    `SELECT ${DOCUMENT_COLUMNS}, ${INDEX_COLUMNS} FROM documents d WHERE ${MISSING} ORDER BY d.doc LIMIT ${BATCH}`,
    [after],
  );

/** Keeps what was derived of rows that are as they were; the next pass handles the others, if they still exist. */
async function keep(sql: Transaction, turn: string, derived: readonly Derived[]): Promise<void> {
  await checkTurn(sql, turn);
  for (const { row, index, entry } of derived) {
    await sql.query(
      `INSERT INTO next (doc, attributes, words, vector, norm) SELECT d.doc, ?::jsonb, ?::bytea, ?::bytea, ?::float8
       FROM documents d WHERE d.doc = ? AND d.entry = ? FOR SHARE
       ON CONFLICT (doc) DO UPDATE SET attributes = excluded.attributes, words = excluded.words, vector = excluded.vector, norm = excluded.norm`,
      [toAttributesJson(index.attributes), entry.words, entry.vector ?? null, entry.norm ?? null, row.doc, row.entry],
    );
  }
}

/** Puts everything derived in use, while nobody writes; undefined where a row is missing yet. */
async function finish(sql: Transaction, turn: string, own: string): Promise<number | undefined> {
  await checkTurn(sql, turn);
  const [missing] = await sql.query(`SELECT 1 FROM documents d WHERE ${MISSING} LIMIT 1`, [0]);
  if (missing !== undefined) return undefined;
  await sql.query(`UPDATE documents d SET entry = nextval('entries'), attributes = n.attributes, words = n.words,
    vector = n.vector, norm = n.norm FROM next n WHERE n.doc = d.doc`);
  await sql.query('DELETE FROM next');
  await writeState(sql, 'fingerprint', own);
  await writeState(sql, 'next', undefined);
  const [counted] = await sql.query<{ count: number }>('SELECT count(*) AS count FROM documents');
  return counted?.count ?? 0;
}

function toDerived(row: IndexedRow, index: DocumentIndex | undefined, dimensions: number): Derived {
  if (index === undefined) throw new ContextloomError('internal', `no index was made of the document "${row.id}"`);
  return { row, index, entry: toIndexEntry(index.text, index.vector, dimensions) };
}

/** How rebuilds differ. */
interface RebuildKind extends RebuildOptions {
  /** Whether vectors that are there are handed to `derive`: they are of the same embedder, and may have cost money. */
  readonly keepsVectors: boolean;
}

async function work(parts: RebuildParts, derive: Derive, options: RebuildKind): Promise<RebuildReport> {
  const { database, dimensions, own } = parts;
  const { resume = false, signal, onProgress, keepsVectors } = options;
  const begun = await database.write((sql) => begin(sql, own, resume));
  const { turn, documents } = begun;
  let { done } = begun;
  onProgress?.({ documents, done });
  for (let after = 0; ; ) {
    if (signal?.aborted) return { kind: 'interrupted', documents: done };
    const from = after;
    const rows = await database.read({ kind: 'everyone' }, (sql) => readMissing(sql, from));
    if (rows.length > 0) {
      const indexes = await derive(rows.map((row) => toDerivable(row, keepsVectors)));
      const derived = rows.map((row, at) => toDerived(row, indexes[at], dimensions));
      await database.write((sql) => keep(sql, turn, derived));
      done += rows.length;
      onProgress?.({ documents, done });
    } else if (after === 0) {
      const count = await database.write((sql) => finish(sql, turn, own), 'SHARE ROW EXCLUSIVE');
      if (count !== undefined) return { kind: 'complete', documents: count };
    }
    after = rows.at(-1)?.doc ?? 0;
  }
}

/**
 * Derives everything again, next to what is in use, which it takes the place of at the end. Of two at once the later goes on and the
 * earlier rejects with `conflict`.
 */
export async function rebuild(parts: RebuildParts, derive: Derive, options: RebuildOptions): Promise<RebuildReport> {
  const run = () => work(parts, derive, { ...options, keepsVectors: false });
  let started: Promise<RebuildReport> | undefined;
  // The lock keeps upgrades of other processes from beginning; another rebuild goes by the turns alone.
  const alone = await parts.database.alone('rebuild', () => {
    started = run();
    return started;
  });
  return alone ?? started ?? run();
}

/** Derives everything again unless this program made the index; one process at a time, and all wait until it is done. */
export async function upgrade(
  parts: RebuildParts,
  derive: Derive,
  options: Omit<RebuildKind, 'resume'>,
): Promise<RebuildReport['kind']> {
  const { database, own } = parts;
  const isOwn = () => database.read({ kind: 'owners', owners: [] }, async ({ fingerprint }) => fingerprint === own);
  const attempt = async (): Promise<RebuildReport['kind'] | undefined> => {
    if (await isOwn()) return 'complete'; // The process that had the lock before has done it.
    try {
      return (await work(parts, derive, { ...options, resume: true })).kind;
    } catch (error) {
      if (isContextloomError(error) && error.code === 'conflict') return undefined; // One that a person started goes first.
      throw error;
    }
  };
  for (;;) {
    if (await isOwn()) return 'complete';
    if (options.signal?.aborted) return 'interrupted';
    const outcome = await database.alone('rebuild', attempt);
    if (outcome !== undefined) return outcome;
    await sleep(LOOK_MS, undefined, { signal: options.signal, ref: false }).catch(() => undefined); // The loop asks the signal.
  }
}
