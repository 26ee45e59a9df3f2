import type { Unreached } from '@contextloom/contracts';
import { toPostgresText } from '@contextloom/postgres';
import type { DocumentStore } from '../../domain/store.ts';
import type { DocumentDatabase } from './database.ts';
import { SCHEMA } from './schema.ts';

const LOG: Unreached = {
  what: 'the write-ahead log of the Postgres server',
  why: 'the server overwrites it as it goes on; archives, replicas and base backups are for whoever runs it to erase',
};
const OWNER: Unreached = {
  what: 'deleted rows in the files of the tables',
  why: `the user of DATABASE_URL does not own them: have the owner run "vacuum full ${SCHEMA}.documents, ${SCHEMA}.next"`,
};
const OLDER: Unreached = {
  what: 'deleted rows in the files of the tables',
  why: 'a transaction that began before is still open: try again',
};

const OWNS = `SELECT pg_has_role(relowner, 'usage') AS owns FROM pg_class WHERE oid = '${SCHEMA}.documents'::regclass`;
/** Postgres keeps a deleted row as long as a transaction is open that began before. */
const toOlderText = (transaction: string): string => `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
  AND pid <> pg_backend_pid() AND age(backend_xmin) >= age('${transaction}'::xid8::xid) LIMIT 1`;

/** Rewrites the tables without the rows that a transaction deleted; answers what could not be reached. */
async function erase({ run }: DocumentDatabase, transaction: string): Promise<readonly Unreached[]> {
  const [table] = await run<{ owns: boolean }>(OWNS);
  if (table?.owns !== true) return [OWNER, LOG];
  const isAlone = (await run(toOlderText(transaction))).length === 0;
  await run(`VACUUM (FULL) ${SCHEMA}.documents`);
  await run(`VACUUM (FULL) ${SCHEMA}.next`);
  return [...(isAlone ? [] : [OLDER]), LOG];
}

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
    return { erased: [{ what: 'documents', count }], unreached: await erase(database, transaction) };
  };
}
