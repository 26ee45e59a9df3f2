import type {
  AttributeCondition,
  ExceptionCondition,
  MembershipCondition,
  RowCondition,
} from '@contextloom/retrieval/filter';
import type { SqlPart } from '@contextloom/sqlite';
import type { Selection, Visibility } from '../../domain/store.ts';
import { comparisons, toConditionSql } from '../sql/conditions.ts';

/**
 * How attributes are looked up: `by_row` asks each row for its value, which suits few rows; `by_value` makes the set of rows
 * with a value first, which suits many. SQLite left to choose (`EXISTS`) looks through the rows of everybody for a user's
 * hundred.
 */
type Lookup = 'by_row' | 'by_value';

type Scalar = string | number | boolean;

/** A scalar as SQLite holds it: booleans as 1 and 0, which no number can meet since its attributes have other names. */
export function toSqlValue(value: Scalar): string | number {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** `IN` a list of values. */
export function toListSql(values: readonly Scalar[]): SqlPart {
  return { sql: `IN (${values.map(() => '?').join(', ')})`, params: values.map(toSqlValue) };
}

/** The rows that an exception is about. */
export function toRowsExcepted({ attribute, value }: ExceptionCondition): SqlPart {
  return {
    sql: 'SELECT a.doc FROM attributes a WHERE a.name = ? AND a.value <= ?',
    params: [attribute, value],
  };
}

function toAttributeSql(condition: AttributeCondition, lookup: Lookup): SqlPart {
  if (condition.test === 'not_lte') {
    // Few rows are excepted: their set is made once, and no row is looked at.
    const { sql, params } = toRowsExcepted(condition);
    return { sql: `d.doc NOT IN (${sql})`, params };
  }
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

/** The condition on `documents d` that a call may see a row. With a plus before it, SQLite uses no index of `owner`. */
export function toVisibilitySql(visible: Visibility, owner: 'd.owner' | '+d.owner' = 'd.owner'): SqlPart {
  if (visible.kind === 'everyone') return { sql: 'TRUE', params: [] };
  const { sql, params } = toListSql(visible.owners);
  return { sql: `${owner} ${sql}`, params };
}

/** The rows that have one of the values of an attribute. */
export function toRowsOfValues({ attribute, values }: MembershipCondition): SqlPart {
  const list = toListSql(values);
  return {
    sql: `SELECT a.doc FROM attributes a WHERE a.name = ? AND a.value ${list.sql}`,
    params: [attribute, ...list.params],
  };
}

/** What every row of a condition has: the values of one attribute, of which it has one. */
export function toNeeded(condition: RowCondition): readonly MembershipCondition[] {
  if (condition.test === 'in') return [condition];
  return condition.test === 'and' ? condition.conditions.flatMap(toNeeded) : [];
}

/**
 * The same as {@link toSelectionSql}, for a condition that few rows meet, all of which have one of these values: it begins at
 * those. SQLite left to choose goes through all rows of the owner, since an index has them in the order of a listing.
 */
export function toSelectionSqlFrom({ visible, condition }: Selection, needed: MembershipCondition): SqlPart {
  const [rows, visibility] = [toRowsOfValues(needed), toVisibilitySql(visible, '+d.owner')];
  const rest = toConditionSql(condition, (part) => toAttributeSql(part, 'by_row'));
  return {
    sql: `d.doc IN (${rows.sql}) AND ${visibility.sql} AND ${rest.sql}`,
    params: [...rows.params, ...visibility.params, ...rest.params],
  };
}

/** The condition on `documents d` that a row is in the selection. */
export function toSelectionSql({ visible, condition }: Selection, lookup: Lookup): SqlPart {
  const parts = [toVisibilitySql(visible), toConditionSql(condition, (part) => toAttributeSql(part, lookup))];
  return { sql: parts.map(({ sql }) => sql).join(' AND '), params: parts.flatMap(({ params }) => params) };
}
