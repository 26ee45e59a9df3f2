import type { MembershipCondition, RangeCondition, RowCondition } from '@contextloom/retrieval/filter';
import type { SqlPart } from '@contextloom/sqlite';
import type { Selection, Visibility } from '../../domain/store.ts';

/**
 * How attributes are looked up: `by_row` asks each visible row for its value, which suits few rows; `by_value` makes the
 * set of rows with a value first, which suits many. SQLite left to choose (`EXISTS`) looks through the rows of everybody
 * for a user's hundred.
 */
export type Lookup = 'by_row' | 'by_value';

type Scalar = string | number | boolean;

/** A scalar as SQLite holds it: booleans as 1 and 0, which no number can meet since its attributes have other names. */
export function toSqlValue(value: Scalar): string | number {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** `IN` a list of values. */
export function toListSql(values: readonly Scalar[]): SqlPart {
  return { sql: `IN (${values.map(() => '?').join(', ')})`, params: values.map(toSqlValue) };
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function toAttributeSql(condition: MembershipCondition | RangeCondition, lookup: Lookup): SqlPart {
  const test =
    'values' in condition
      ? toListSql(condition.values)
      : { sql: `${comparisons[condition.test]} ?`, params: [condition.value] };
  const sql =
    lookup === 'by_row'
      ? `(SELECT a.value FROM attributes a WHERE a.doc = d.doc AND a.name = ?) ${test.sql}`
      : `d.doc IN (SELECT a.doc FROM attributes a WHERE a.name = ? AND a.value ${test.sql})`;
  return {
    sql: condition.test === 'not_in' ? `(${sql}) IS NOT TRUE` : sql,
    params: [condition.attribute, ...test.params],
  };
}

function toConditionSql(condition: RowCondition, lookup: Lookup): SqlPart {
  switch (condition.test) {
    case 'always':
      return { sql: 'TRUE', params: [] };
    case 'never':
      return { sql: 'FALSE', params: [] };
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => toConditionSql(part, lookup));
      const joint = condition.test === 'and' ? ' AND ' : ' OR ';
      return { sql: `(${parts.map(({ sql }) => sql).join(joint)})`, params: parts.flatMap(({ params }) => params) };
    }
    default:
      return toAttributeSql(condition, lookup);
  }
}

/** The condition on `documents d` that a call may see a row. */
export function toVisibilitySql(visible: Visibility): SqlPart {
  if (visible.kind === 'everyone') return { sql: 'TRUE', params: [] };
  const { sql, params } = toListSql(visible.owners);
  return { sql: `d.owner ${sql}`, params };
}

/** The condition on `documents d` that a row is in the selection. */
export function toSelectionSql({ visible, condition }: Selection, lookup: Lookup): SqlPart {
  const parts = [toVisibilitySql(visible), toConditionSql(condition, lookup)];
  return { sql: parts.map(({ sql }) => sql).join(' AND '), params: parts.flatMap(({ params }) => params) };
}
