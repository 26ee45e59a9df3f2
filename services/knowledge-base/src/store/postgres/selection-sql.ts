import { toPostgresText, type Value } from '@contextloom/postgres';
import type { AttributeCondition } from '@contextloom/retrieval/filter';
import type { Selection, Visibility } from '../../domain/store.ts';
import { comparisons, type StatementPart, toConditionSql } from '../sql/conditions.ts';
import { toJsonb } from './text.ts';

function toAttributeSql(condition: AttributeCondition): StatementPart<Value> {
  const name = toPostgresText(condition.attribute);
  if (condition.test === 'not_lte') {
    const sql = '((d.attributes ->> ?::text)::float8 <= ?::float8) IS NOT TRUE';
    return { sql, params: [name, condition.value] };
  }
  if (!('values' in condition)) {
    // Names have the type of their values in them: what is compared as a number is one.
    const sql = `(d.attributes ->> ?::text)::float8 ${comparisons[condition.test]} ?::float8`;
    return { sql, params: [name, condition.value] };
  }
  const sql = `(d.attributes -> ?::text) = ANY (?::jsonb[])`;
  return {
    sql: condition.test === 'not_in' ? `(${sql}) IS NOT TRUE` : sql,
    params: [name, condition.values.map(toJsonb)],
  };
}

/** The condition on `documents d` that a call may see a row. */
export function toVisibilitySql(visible: Visibility): StatementPart<Value> {
  if (visible.kind === 'everyone') return { sql: 'TRUE', params: [] };
  return { sql: 'd.owner = ANY (?::text[])', params: [visible.owners.map(toPostgresText)] };
}

/** The condition on `documents d` that a row is in the selection. */
export function toSelectionSql({ visible, condition }: Selection): StatementPart<Value> {
  const parts = [toVisibilitySql(visible), toConditionSql(condition, toAttributeSql)];
  return { sql: parts.map(({ sql }) => sql).join(' AND '), params: parts.flatMap(({ params }) => params) };
}
