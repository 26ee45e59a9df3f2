import type { ProjectId, Sql } from '../database.ts';
import type { PreparedDatabase } from './schema/prepare-database.ts';

/** The same of an array of reals and one of length 1: what any Postgres can reckon. */
const toArrayDistance = (vector: string, unit: string): string => `(
  select 1 - coalesce(sum(x * y) / nullif(sqrt(sum(x::float8 * x)), 0), 0) from unnest(${vector}, ${unit}::float8[]) pairs (x, y))`;

/** The exact cosine distance of a vector and one of length 1, columns or parameters; 1 where the first is all zeros. */
export const toDistance = ({ pgvector }: PreparedDatabase, vector: string, unit: string): string =>
  pgvector === undefined ? toArrayDistance(vector, unit) : `(${vector}::vector <=> ${unit}::vector)`;

/** The distance by which the HNSW indexes order. */
export const toIndexedDistance = ({ dimensions }: PreparedDatabase, a: string, b: string): string =>
  `${a}::halfvec(${dimensions}) <=> ${b}::halfvec(${dimensions})`;

/** Up to so many rows all are compared, which finds the nearest for certain; the index is for more. */
export const EXACT_UP_TO = 10_000;

/** How a store looks for vectors. */
export interface VectorSearch extends PreparedDatabase {
  /** Up to so many rows all of a selection are compared. */
  readonly exactUpTo: number;
}

/** Whether all rows of some projects are compared, rather than read by the HNSW index. */
export async function usesExactScan(
  sql: Sql,
  { pgvector, exactUpTo }: VectorSearch,
  table: 'fragments' | 'memories',
  ownerId: string,
  projectIds: readonly ProjectId[],
): Promise<boolean> {
  if (pgvector === undefined) return true;
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count
     from (select 1 from ${table} where owner_id = $1 and project_id = any($2::uuid[]) limit $3) few`,
    [ownerId, projectIds, exactUpTo + 1],
  );
  return (row?.count ?? 0) <= exactUpTo;
}

/**
 * Has the index read on until the filter of a statement is satisfied, until the transaction ends. `relaxed_order` finds more in
 * the same time, and answers nearly in order.
 */
export async function enableIterativeScan(sql: Sql, order: 'strict_order' | 'relaxed_order'): Promise<void> {
  await sql.query(`set local hnsw.iterative_scan = ${order}`);
  await sql.query('set local hnsw.ef_search = 200');
}
