import type { AttributeCondition, RowCondition } from '@contextloom/retrieval/filter';

/** A part of a statement with a `?` for each parameter, and their values in order, as its engine takes them. */
export interface StatementPart<Value> {
  readonly sql: string;
  readonly params: readonly Value[];
}

/** The condition on `documents d` that a row's attributes meet another; engines differ in how an attribute is looked up. */
export function toConditionSql<Value>(
  condition: RowCondition,
  toAttributeSql: (condition: AttributeCondition) => StatementPart<Value>,
): StatementPart<Value> {
  switch (condition.test) {
    case 'always':
      return { sql: 'TRUE', params: [] };
    case 'never':
      return { sql: 'FALSE', params: [] };
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => toConditionSql(part, toAttributeSql));
      const joint = condition.test === 'and' ? ' AND ' : ' OR ';
      return { sql: `(${parts.map(({ sql }) => sql).join(joint)})`, params: parts.flatMap(({ params }) => params) };
    }
    default:
      return toAttributeSql(condition);
  }
}

/** How ranges compare. */
export const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
