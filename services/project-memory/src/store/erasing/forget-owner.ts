import type { ErasedCount, Forgotten } from '@contextloom/contracts';
import type { Sql, SqlDatabase } from '../database.ts';
import { eraseDeadRows, tables } from './erase-dead-rows.ts';

/** What the tables are called in a receipt. */
const named: Readonly<Record<(typeof tables)[number], string>> = {
  memories: 'memories',
  memory_versions: 'earlier versions',
  memory_arbitrations: 'decisions',
  memory_links: 'links',
  projects: 'projects',
  fragments: 'fragments',
  version_fragments: 'fragments of earlier versions',
};

async function countRows(sql: Sql, ownerId: string): Promise<readonly ErasedCount[]> {
  const columns = tables.map((table) => `(select count(*) from ${table} where owner_id = $1)::int as ${table}`);
  const [counts] = await sql.query<Record<string, number>>(`select ${columns.join(', ')}`, [ownerId]);
  return tables.map((table) => ({ what: named[table], count: counts?.[table] ?? 0 }));
}

/** Deletes every row of an owner; answers the transaction that did. */
async function deleteRows(sql: Sql, ownerId: string): Promise<string> {
  // What others point to comes last.
  for (const table of ['memory_links', 'version_fragments', 'fragments', 'memory_versions', 'memory_arbitrations'])
    await sql.query(`delete from ${table} where owner_id = $1`, [ownerId]);
  for (const table of ['memories', 'projects']) await sql.query(`delete from ${table} where owner_id = $1`, [ownerId]);
  const [transaction] = await sql.query<{ id: string }>('select pg_current_xact_id()::text as id');
  return transaction?.id ?? '';
}

/**
 * Counts the rows of an owner, and erases them and what they leave in the files unless it is a dry run. Tables are rewritten:
 * others wait meanwhile.
 * @throws ContextloomError `unavailable` or `no_space`; called again, it goes on
 */
export async function forgetOwner(database: SqlDatabase, ownerId: string, isDryRun: boolean): Promise<Forgotten> {
  if (isDryRun) return { erased: await countRows(database, ownerId), unreached: [] };
  const { erased, transaction } = await database.transaction(async (sql) => ({
    erased: await countRows(sql, ownerId),
    transaction: await deleteRows(sql, ownerId),
  }));
  return { erased, unreached: await eraseDeadRows(database, transaction) };
}
