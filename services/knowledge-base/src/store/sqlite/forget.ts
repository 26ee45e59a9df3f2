import { eraseInThread, type IndexedDatabase, withStorageErrors } from '@contextloom/sqlite';
import type { DocumentStore } from '../../domain/store.ts';

/** Rows a step: other calls are answered between two. */
const STEP_ROWS = 100;

/** Builds the forgetting of an owner: the rows with all that is derived of them, and then every page and log that had them. */
export function createForget({
  database,
  transactions,
}: Pick<IndexedDatabase, 'database' | 'transactions'>): DocumentStore['forget'] {
  const count = database.prepare<[string], number>('SELECT count(*) FROM documents WHERE owner = ?').pluck();
  const remove = database.prepare<[string]>(
    `DELETE FROM documents WHERE doc IN (SELECT doc FROM documents WHERE owner = ? LIMIT ${STEP_ROWS})`,
  );
  const toErased = (documents: number) => [{ what: 'documents', count: documents }];
  return async (owner, isDryRun) => {
    if (isDryRun) return { erased: toErased(withStorageErrors(() => count.get(owner) ?? 0)), unreached: [] };
    const removed = await transactions.runInSlices(function* () {
      const before = count.get(owner) ?? 0;
      while (remove.run(owner).changes > 0) yield;
      return before;
    });
    // Without rows too: an earlier call may have ended between the two.
    const left = await transactions.runBetween(() => eraseInThread({ file: database.name }));
    const why = 'another process went on reading it: try again, or end that process';
    return { erased: toErased(removed), unreached: left === 'log' ? [{ what: `${database.name}-wal`, why }] : [] };
  };
}
