import { ContextloomError } from '@contextloom/contracts';
import { type Database, toVectorBlob } from '@contextloom/sqlite';
import type { DocumentIndex, DocumentStore } from '../../domain/store.ts';
import type { FillingRecord } from './filling.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, toDocument } from './rows.ts';
import { createIndexWriter } from './writer.ts';

/** Documents a transaction: few, since others wait with their writes meanwhile. */
const BATCH = 64;

interface OwnedRow extends DocumentRow {
  readonly owner: string;
}

interface DerivedRow {
  readonly row: OwnedRow;
  readonly index: DocumentIndex;
}

/** What a rebuilding begins with: its turn, how many documents there are, and how many have their new vector already. */
interface Beginning {
  readonly turn: number;
  readonly documents: number;
  readonly kept: number;
}

/** The transactions of a rebuilding. */
function createSteps(database: Database, filling: FillingRecord, dimensions: number) {
  const writeIndex = createIndexWriter(database);
  const currentTurn = database.prepare<[], number>("SELECT value FROM store_info WHERE name = 'rebuild'").pluck();
  const setTurn = database.prepare<[string]>("INSERT OR REPLACE INTO store_info (name, value) VALUES ('rebuild', ?)");
  const missing = database.prepare<[number, number], OwnedRow>(
    `SELECT ${DOCUMENT_COLUMNS}, d.owner FROM documents d
     WHERE d.doc > ? AND NOT EXISTS (SELECT 1 FROM embeddings_next e WHERE e.doc = d.doc) ORDER BY d.doc LIMIT ?`,
  );
  const versionOf = database.prepare<[number], number>('SELECT version FROM documents WHERE doc = ?').pluck();
  const setNextVector = database.prepare<[number, Buffer]>('INSERT OR REPLACE INTO embeddings_next VALUES (?, ?)');
  const countDocuments = database.prepare<[], number>('SELECT count(*) FROM documents').pluck();
  const countNext = database.prepare<[], number>('SELECT count(*) FROM embeddings_next').pluck();

  const begin = (resume: boolean): Beginning => {
    const turn = Number(currentTurn.get() ?? 0) + 1;
    setTurn.run(String(turn));
    // Whoever changes a document takes its next vector away: what is left is of the documents as they are now.
    if (!(resume && filling.isNext())) {
      database.exec('DELETE FROM embeddings_next');
      filling.writeNext();
    }
    return { turn, documents: countDocuments.get() ?? 0, kept: countNext.get() ?? 0 };
  };
  const checkTurn = (turn: number): void => {
    if (Number(currentTurn.get()) === turn) return;
    throw new ContextloomError('conflict', 'the index is being rebuilt by another call, which goes on');
  };
  const write = (turn: number, derived: readonly DerivedRow[]): void => {
    checkTurn(turn);
    for (const { row, index } of derived) {
      if (versionOf.get(row.doc) !== row.version) continue; // Changed meanwhile: the next pass takes it up.
      writeIndex(row.doc, row.owner, index);
      setNextVector.run(row.doc, toVectorBlob(index.vector, dimensions));
    }
  };
  const finish = (turn: number): number | 'unfinished' => {
    checkTurn(turn);
    if (missing.get(0, 1) !== undefined) return 'unfinished';
    database.exec(`
      ALTER TABLE embeddings RENAME TO embeddings_before;
      ALTER TABLE embeddings_next RENAME TO embeddings;
      ALTER TABLE embeddings_before RENAME TO embeddings_next;
      DELETE FROM embeddings_next;`);
    filling.write();
    filling.forgetNext();
    return countDocuments.get() ?? 0;
  };
  return {
    begin: database.transaction(begin).immediate,
    missing: (after: number) => missing.all(after, BATCH),
    write: database.transaction(write).immediate,
    finish: database.transaction(finish).immediate,
  };
}

function pair(rows: readonly OwnedRow[], indexes: readonly DocumentIndex[]): readonly DerivedRow[] {
  return rows.map((row, at) => {
    const index = indexes[at];
    if (index === undefined) throw new ContextloomError('internal', `no index was made of the document "${row.id}"`);
    return { row, index };
  });
}

/** What a rebuilding works on. */
export interface RebuildParts {
  readonly database: Database;
  readonly filling: FillingRecord;
  readonly dimensions: number;
  /** Runs each step, and says what went wrong in the store's own words. */
  readonly run: <T>(step: () => T) => T;
}

/**
 * Builds the function that derives every index anew. Vectors are made beside those in use and take their place in the last
 * transaction, so that a rebuilding which is cut off leaves the store as useful as it was, and what it made for the next.
 */
export function createRebuild({ database, filling, dimensions, run }: RebuildParts): DocumentStore['rebuild'] {
  const steps = createSteps(database, filling, dimensions);
  return async (derive, { resume = false, signal, onProgress } = {}) => {
    const { turn, documents, kept } = run(() => steps.begin(resume));
    let done = kept;
    onProgress?.({ documents, done });
    let after = 0;
    for (;;) {
      if (signal?.aborted) return { kind: 'interrupted', documents: done };
      const from = after;
      const rows = run(() => steps.missing(from));
      const last = rows.at(-1);
      if (last !== undefined) {
        const indexes = await derive(rows.map(toDocument));
        run(() => steps.write(turn, pair(rows, indexes)));
        done += rows.length;
        onProgress?.({ documents, done });
      } else if (after === 0) {
        const outcome = run(() => steps.finish(turn));
        if (outcome !== 'unfinished') return { kind: 'complete', documents: outcome };
      }
      after = last?.doc ?? 0;
    }
  };
}
