import type { ErasedCount } from '@contextloom/contracts';
import type { Sql } from './database.ts';

/** The tables with rows of owners; what others point to comes last. */
export const tables = [
  ...(['memory_links', 'version_fragments', 'fragments', 'memory_versions', 'memory_arbitrations'] as const),
  'memory_receipts',
  ...(['memories', 'projects'] as const),
] as const;

/** What the tables are called in a receipt. */
const named: Readonly<Record<(typeof tables)[number], string>> = {
  memories: 'memories',
  memory_versions: 'earlier versions',
  memory_arbitrations: 'decisions',
  memory_links: 'links',
  projects: 'projects',
  fragments: 'fragments',
  version_fragments: 'fragments of earlier versions',
  memory_receipts: 'receipts of what has ended',
};

/** Counts the rows of an owner, as a receipt names them. */
export async function countRows(sql: Sql, ownerId: string): Promise<readonly ErasedCount[]> {
  const columns = tables.map((table) => `(select count(*) from ${table} where owner_id = $1) as ${table}`);
  const [counts] = await sql.query<Record<string, number>>(`select ${columns.join(', ')}`, [ownerId]);
  return Object.entries(named).map(([table, what]) => ({ what, count: counts?.[table] ?? 0 }));
}

/** Deletes every row of an owner. */
export async function deleteRows(sql: Sql, ownerId: string): Promise<void> {
  for (const table of tables) await sql.query(`delete from ${table} where owner_id = $1`, [ownerId]);
}
