import {
  ContextloomError,
  type FilterOperator,
  filterOperators,
  type JsonScalar,
  type JsonValue,
} from '@contextloom/contracts';
import { allOf, anyOf, type MembershipCondition, type RowCondition } from './conditions.ts';
import { parseTimestamp } from './timestamps.ts';

/** Most values in all lists of one filter together. */
export const MAX_FILTER_VALUES = 4_096;

/** One comparison of a filter, parsed. A document that lacks `key` never matches, whatever is asked. */
export type Comparison = MembershipFilter | RangeFilter;

/** `eq` and `in` (the value is one of these), `ne` and `nin` (it is none of these). Values of two types are never equal. */
export interface MembershipFilter {
  readonly kind: 'in' | 'nin';
  readonly key: string;
  readonly values: readonly JsonScalar[];
}

/** A range over numbers, or over ISO 8601 timestamps as epoch milliseconds; values of any other type do not match. */
export interface RangeFilter {
  readonly kind: 'gt' | 'gte' | 'lt' | 'lte';
  readonly key: string;
  readonly over: 'numbers' | 'timestamps';
  readonly bound: number;
}

/** What is left to spend while one filter is parsed. */
export interface Budget {
  conditions: number;
  values: number;
}

/** What an operator is asked of: a key, its operand, and where that stands in the filter. */
export interface Operand {
  readonly key: string;
  readonly operand: JsonValue;
  readonly path: string;
  readonly budget: Budget;
}

/** Refuses a part of a filter, naming its path. */
export function refuse(path: string, problem: string): never {
  throw new ContextloomError('invalid', `${path} ${problem}`, { field: path });
}

/** Whether a JSON value is neither an object nor a list. */
export function isScalar(value: JsonValue): value is JsonScalar {
  return value === null || typeof value !== 'object';
}

function parseScalar({ operand, path }: Operand): JsonScalar {
  return isScalar(operand)
    ? operand
    : refuse(path, 'must be compared with a string, number, boolean or null; for one of several values use "in"');
}

function parseList({ operand, path, budget }: Operand): readonly JsonScalar[] {
  if (!Array.isArray(operand)) return refuse(path, 'must be a list of strings, numbers, booleans or nulls');
  budget.values -= operand.length;
  if (budget.values < 0) refuse(path, `has too many values: at most ${MAX_FILTER_VALUES} in one filter`);
  return operand.map((value: JsonValue, index) =>
    isScalar(value) ? value : refuse(`${path}[${index}]`, 'must be a string, number, boolean or null'),
  );
}

const parseRange =
  (kind: RangeFilter['kind']) =>
  ({ key, operand, path }: Operand): Comparison => {
    if (typeof operand === 'number') return { kind, key, over: 'numbers', bound: operand };
    const bound = typeof operand === 'string' ? parseTimestamp(operand) : undefined;
    return bound === undefined
      ? refuse(path, 'must be a number or an ISO 8601 timestamp')
      : { kind, key, over: 'timestamps', bound };
  };

const parsers: Readonly<Record<FilterOperator, (operand: Operand) => Comparison>> = {
  eq: (operand) => ({ kind: 'in', key: operand.key, values: [parseScalar(operand)] }),
  ne: (operand) => ({ kind: 'nin', key: operand.key, values: [parseScalar(operand)] }),
  in: (operand) => ({ kind: 'in', key: operand.key, values: parseList(operand) }),
  nin: (operand) => ({ kind: 'nin', key: operand.key, values: parseList(operand) }),
  gt: parseRange('gt'),
  gte: parseRange('gte'),
  lt: parseRange('lt'),
  lte: parseRange('lte'),
};

/** The operator of this name, which may begin with `$`. */
export function findOperator(name: string): FilterOperator | undefined {
  return filterOperators.find((operator) => name === operator || name === `$${operator}`);
}

/**
 * Parses what an operator asks.
 * @throws ContextloomError `invalid`, naming the path that is wrong
 */
export function parseComparison(operator: FilterOperator, operand: Operand): Comparison {
  return parsers[operator](operand);
}

function toMembershipCondition({ kind, key, values }: MembershipFilter): RowCondition {
  const test = kind === 'in' ? 'in' : 'not_in';
  const present: RowCondition = { test: 'in', attribute: `has:${key}`, values: [true] };
  const byType: readonly MembershipCondition[] = [
    { test, attribute: `str:${key}`, values: values.filter((value) => typeof value === 'string') },
    { test, attribute: `num:${key}`, values: values.filter((value) => typeof value === 'number') },
    { test, attribute: `bool:${key}`, values: values.filter((value) => typeof value === 'boolean') },
    { test, attribute: `null:${key}`, values: values.includes(null) ? [true] : [] },
  ];
  const given = byType.filter((condition) => condition.values.length > 0);
  return kind === 'in' ? anyOf(given) : allOf([present, ...given]);
}

/** A comparison as a condition on attributes, whose names `encoding.ts` explains. */
export function toComparisonCondition(comparison: Comparison): RowCondition {
  if ('values' in comparison) return toMembershipCondition(comparison);
  const { kind, key, over, bound } = comparison;
  return { test: kind, attribute: `${over === 'numbers' ? 'num' : 'time'}:${key}`, value: bound };
}
