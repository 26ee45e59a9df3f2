import { type FilterOperator, filterOperators, type JsonObject, type JsonValue } from '@contextloom/contracts';
import { everything, type Filter } from './filter.ts';
import { type Budget, findOperator, isScalar, MAX_FILTER_VALUES, parseComparison, refuse } from './operators.ts';

/** Deepest nesting of `$and` and `$or`. */
export const MAX_FILTER_DEPTH = 32;
/** Most conditions in one filter. */
export const MAX_FILTER_CONDITIONS = 256;

function isObject(value: JsonValue): value is JsonObject {
  return !isScalar(value) && !Array.isArray(value);
}

function parseOne(key: string, operator: FilterOperator, operand: JsonValue, path: string, budget: Budget): Filter {
  budget.conditions -= 1;
  if (budget.conditions < 0) refuse(path, `is one condition too many: at most ${MAX_FILTER_CONDITIONS} in one filter`);
  return parseComparison(operator, { key, operand, path, budget });
}

function parseKey(key: string, condition: JsonValue, path: string, budget: Budget): readonly Filter[] {
  if (!isObject(condition)) return [parseOne(key, 'eq', condition, path, budget)];
  const entries = Object.entries(condition);
  if (entries.length === 0) refuse(path, 'must not be an empty object');
  return entries.map(([name, operand]) => {
    const operator = findOperator(name);
    const operandPath = `${path}.${name}`;
    if (operator === undefined) refuse(operandPath, `is not an operator: use one of ${filterOperators.join(', ')}`);
    return parseOne(key, operator, operand, operandPath, budget);
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
