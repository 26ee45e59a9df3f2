import { fromPostgresText, type OpenTransaction, toPostgresText } from '@contextloom/postgres';
import type { Dialect, Sql, Value } from '../sql/sql.ts';
import { USER } from './schema.ts';

/** What Postgres writes in its own words. */
export const dialect: Dialect = {
  isIn: (column, values) => ({ sql: `${column} = ANY (?)`, params: [values] }),
  hasTag: (column, tag) => ({
    // As text: what a tag may have in it, `jsonb` may not.
    sql: `EXISTS (SELECT 1 FROM json_array_elements(${column}::json) AS t (value) WHERE t.value::text = ?)`,
    params: [JSON.stringify(tag)],
  }),
  numberColumn: 'number',
  collect: (query) => `ARRAY(${query})`,
};

const toParameter = (value: Value): Value => {
  if (typeof value === 'string') return toPostgresText(value);
  if (!Array.isArray(value)) return value;
  return value.map((one: string | number) => (typeof one === 'string' ? toPostgresText(one) : one)) as Value;
};

function fromColumn(value: unknown): unknown {
  if (typeof value === 'string') return fromPostgresText(value);
  return Array.isArray(value) ? value.map(fromColumn) : value;
}

/** What a transaction begins with besides: when the first of the memories of its user ends, which an index says. */
export const FIRST_END = `SELECT (SELECT min(ends_at) FROM ends WHERE user_id = substr(current_setting('${USER}'), 3)) AS first_end`;

/** The statements of one transaction, with texts as they were given. */
export function createPostgresSql({ query, first }: OpenTransaction): Sql {
  return {
    dialect,
    firstEnd: Object(first).first_end ?? Number.POSITIVE_INFINITY,
    query: async <Row extends object>(text: string, params: readonly Value[] = []) => {
      const rows = await query<Row>(text, params.map(toParameter));
      return rows.map(
        (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, fromColumn(value)])) as Row,
      );
    },
  };
}
