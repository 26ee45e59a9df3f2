import type { ChangeFilter } from '../../domain/store.ts';
import type { Dialect, Sql, StatementPart } from './sql.ts';

/** The conditions that a row with `updated_at` and `tags` meets under a filter. */
export function toChangeConditions({ range, tag }: ChangeFilter, { hasTag }: Dialect): readonly StatementPart[] {
  return [
    ...(range !== undefined && Number.isFinite(range.from) ? [{ sql: 'updated_at >= ?', params: [range.from] }] : []),
    ...(range !== undefined && Number.isFinite(range.to) ? [{ sql: 'updated_at < ?', params: [range.to] }] : []),
    ...(tag === undefined ? [] : [hasTag('tags', tag)]),
  ];
}

/** Joins conditions that all hold. */
export function joinConditions(parts: readonly StatementPart[]): StatementPart {
  return { sql: parts.map(({ sql }) => sql).join(' AND '), params: parts.flatMap(({ params }) => params) };
}

/** Counts the rows of a table that meet a condition. */
export async function countRows({ query }: Sql, table: string, where: StatementPart): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*) AS count FROM ${table} WHERE ${where.sql}`,
    where.params,
  );
  return row?.count ?? 0;
}
