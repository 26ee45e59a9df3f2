import { eraseDeadRows, toPostgresText } from '@contextloom/postgres';
import type { DocumentStore } from '../../domain/store.ts';
import type { DocumentDatabase } from './database.ts';
import { SCHEMA } from './schema.ts';

const tables = [`${SCHEMA}.documents`, `${SCHEMA}.next`];

/** Builds the forgetting of an owner: the rows with all that is derived of them, and then the files of the tables. */
export function createForget(database: DocumentDatabase): DocumentStore['forget'] {
  return async (owner, isDryRun) => {
    const params = [toPostgresText(owner)];
    if (isDryRun) {
      const [counted] = await database.read({ kind: 'owners', owners: [owner] }, ({ query }) =>
        query<{ count: number }>('SELECT count(*) AS count FROM documents WHERE owner = ?', params),
      );
      return { erased: [{ what: 'documents', count: counted?.count ?? 0 }], unreached: [] };
    }
    const { count, transaction } = await database.write(async ({ query }) => {
      const removed = await query('DELETE FROM documents WHERE owner = ? RETURNING doc', params);
      const [current] = await query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
      return { count: removed.length, transaction: current?.id ?? '' };
    });
    // Without rows too: an earlier call may have ended between the two.
    return {
      erased: [{ what: 'documents', count }],
      unreached: await eraseDeadRows(database.run, { tables, transaction }),
    };
  };
}
