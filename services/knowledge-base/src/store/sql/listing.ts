import { type SortKey, valueAt } from '../../domain/documents/order.ts';
import type { ListPageRequest, ListPosition } from '../../domain/store.ts';
import type { StatementPart } from './conditions.ts';

/** The condition that a row comes after a position: behind it by the first key, or alike in that and behind it by the rest. */
function toBehindSql(after: ListPosition, keys: readonly SortKey[]): StatementPart<string | number> {
  const [key, ...rest] = keys;
  if (key === undefined) return { sql: 'd.id > ?', params: [after.id] };
  const [value, behind] = [valueAt(after, key), toBehindSql(after, rest)];
  return {
    sql: `(d.${key.name} ${key.isFalling ? '<' : '>'} ? OR (d.${key.name} = ? AND ${behind.sql}))`,
    params: [value, value, ...behind.params],
  };
}

/** The same, led by the bound of the first key: SQLite begins to read an index at that, and not at an OR. */
export function toAfterSql(after: ListPosition | undefined, keys: readonly SortKey[]): StatementPart<string | number> {
  const [first] = keys;
  if (after === undefined || first === undefined) return { sql: 'TRUE', params: [] };
  const { sql, params } = toBehindSql(after, keys);
  const bound = `d.${first.name} ${first.isFalling ? '<=' : '>='} ?`;
  return { sql: `${bound} AND ${sql}`, params: [valueAt(after, first), ...params] };
}

/** The order of a listing. */
export const toOrderSql = (keys: readonly SortKey[]): string =>
  [...keys.map(({ name, isFalling }) => `d.${name}${isFalling ? ' DESC' : ''}`), 'd.id'].join(', ');

/** Narrows a selection to documents of a time. */
export function inRange<Part extends StatementPart<unknown>>(
  part: Part,
  { from, to }: ListPageRequest['range'] = {},
): Part {
  const parts = [
    ...(from === undefined ? [] : [{ sql: 'd.time >= ?', value: from }]),
    ...(to === undefined ? [] : [{ sql: 'd.time < ?', value: to }]),
  ];
  return {
    ...part,
    sql: [part.sql, ...parts.map(({ sql }) => sql)].join(' AND '),
    params: [...part.params, ...parts.map(({ value }) => value)],
  };
}
