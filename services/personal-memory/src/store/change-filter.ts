import type { SqlPart } from '@contextloom/sqlite';
import type { ChangeFilter } from '../domain/store.ts';

/** The condition that a row's tags meet. */
export function toTagged(tag: string, column: string): SqlPart {
  return { sql: `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ?)`, params: [tag] };
}

/** The conditions that a row with `updated_at` and `tags` meets under a filter. */
export function toChangeConditions({ range, tag }: ChangeFilter): readonly SqlPart[] {
  return [
    ...(range !== undefined && Number.isFinite(range.from) ? [{ sql: 'updated_at >= ?', params: [range.from] }] : []),
    ...(range !== undefined && Number.isFinite(range.to) ? [{ sql: 'updated_at < ?', params: [range.to] }] : []),
    ...(tag === undefined ? [] : [toTagged(tag, 'tags')]),
  ];
}

/** Joins conditions that all hold. */
export function joinConditions(parts: readonly SqlPart[]): SqlPart {
  return { sql: parts.map(({ sql }) => sql).join(' AND '), params: parts.flatMap(({ params }) => params) };
}
