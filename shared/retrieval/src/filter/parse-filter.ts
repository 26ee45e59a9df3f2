import { ContextloomError, type JsonObject, type JsonScalar, type JsonValue } from '@contextloom/contracts';
import { everything, type Filter } from './filter.ts';
import { parseTimestamp } from './timestamps.ts';

/** Deepest nesting of `$and` and `$or`. */
export const MAX_FILTER_DEPTH = 32;
/** Most conditions in one filter. */
export const MAX_FILTER_CONDITIONS = 256;
/** Most values in all lists of one filter together. */
export const MAX_FILTER_VALUES = 4_096;

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin'] as const;
type Operator = (typeof operators)[number];

/** What is left to spend while one filter is parsed. */
interface Budget {
  conditions: number;
  values: number;
}

function refuse(path: string, problem: string): never {
  throw new ContextloomError('invalid', `${path} ${problem}`, { field: path });
}

function isScalar(value: JsonValue): value is JsonScalar {
  return value === null || typeof value !== 'object';
}

function isObject(value: JsonValue): value is JsonObject {
  return !isScalar(value) && !Array.isArray(value);
}

function toOperator(name: string): Operator | undefined {
  return operators.find((operator) => name === operator || name === `$${operator}`);
}

function parseRange(kind: 'gt' | 'gte' | 'lt' | 'lte', key: string, operand: JsonValue, path: string): Filter {
  if (typeof operand === 'number') return { kind, key, over: 'numbers', bound: operand };
  const bound = typeof operand === 'string' ? parseTimestamp(operand) : undefined;
  return bound === undefined
    ? refuse(path, 'must be a number or an ISO 8601 timestamp')
    : { kind, key, over: 'timestamps', bound };
}

function parseList(operand: JsonValue, path: string, budget: Budget): readonly JsonScalar[] {
  if (!Array.isArray(operand)) return refuse(path, 'must be a list of strings, numbers, booleans or nulls');
  budget.values -= operand.length;
  if (budget.values < 0) refuse(path, `has too many values: at most ${MAX_FILTER_VALUES} in one filter`);
  return operand.map((value: JsonValue, index) =>
    isScalar(value) ? value : refuse(`${path}[${index}]`, 'must be a string, number, boolean or null'),
  );
}

function parseScalar(operand: JsonValue, path: string): JsonScalar {
  return isScalar(operand)
    ? operand
    : refuse(path, 'must be compared with a string, number, boolean or null; for one of several values use "in"');
}

function parseComparison(key: string, operator: Operator, operand: JsonValue, path: string, budget: Budget): Filter {
  budget.conditions -= 1;
  if (budget.conditions < 0) refuse(path, `is one condition too many: at most ${MAX_FILTER_CONDITIONS} in one filter`);
  switch (operator) {
    case 'eq':
      return { kind: 'in', key, values: [parseScalar(operand, path)] };
    case 'ne':
      return { kind: 'nin', key, values: [parseScalar(operand, path)] };
    case 'in':
    case 'nin':
      return { kind: operator, key, values: parseList(operand, path, budget) };
    default:
      return parseRange(operator, key, operand, path);
  }
}

function parseKey(key: string, condition: JsonValue, path: string, budget: Budget): readonly Filter[] {
  if (!isObject(condition)) return [parseComparison(key, 'eq', condition, path, budget)];
  const entries = Object.entries(condition);
  if (entries.length === 0) refuse(path, 'must not be an empty object');
  return entries.map(([name, operand]) => {
    const operator = toOperator(name);
    const operandPath = `${path}.${name}`;
    if (operator === undefined) refuse(operandPath, `is not an operator: use one of ${operators.join(', ')}`);
    return parseComparison(key, operator, operand, operandPath, budget);
  });
}

function parseBranches(kind: 'and' | 'or', list: JsonValue, path: string, depth: number, budget: Budget): Filter {
  if (depth > MAX_FILTER_DEPTH) refuse(path, `is nested deeper than ${MAX_FILTER_DEPTH} levels`);
  if (!Array.isArray(list)) return refuse(path, 'must be a list of conditions');
  const filters = list.map((item: JsonValue, index) => {
    const itemPath = `${path}[${index}]`;
    return isObject(item) ? parseObject(item, itemPath, depth, budget) : refuse(itemPath, 'must be an object');
  });
  return { kind, filters };
}

function parseObject(object: JsonObject, path: string, depth: number, budget: Budget): Filter {
  const filters = Object.entries(object).flatMap(([name, value]) => {
    const namePath = `${path}.${name}`;
    if (name === '$and' || name === '$or') {
      return [parseBranches(name === '$and' ? 'and' : 'or', value, namePath, depth + 1, budget)];
    }
    if (name.startsWith('$')) refuse(namePath, 'is not an operator here: use $and, $or or the name of a metadata key');
    return parseKey(name, value, namePath, budget);
  });
  return { kind: 'and', filters };
}

/**
 * Parses the free-form JSON of a metadata filter.
 * @throws ContextloomError `invalid`, naming the path that is wrong
 */
export function parseFilter(filter: JsonObject | undefined, path = 'metadata_filter'): Filter {
  if (filter === undefined) return everything;
  return parseObject(filter, path, 0, { conditions: MAX_FILTER_CONDITIONS, values: MAX_FILTER_VALUES });
}
