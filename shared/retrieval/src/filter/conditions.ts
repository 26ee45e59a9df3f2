/**
 * What a document's tags and metadata become in a store: flat names with scalar values, so that an engine with typed, flat
 * metadata (Chroma) and a relational one store the same. See `encoding.ts` for the names.
 */
export type Attributes = ReadonlyMap<string, string | number | boolean>;

/**
 * A condition on attributes, normalised: `and`/`or` have two conditions or more and never one of their own kind, lists of
 * values are not empty and of one type. `not_in` is true of a row that lacks the attribute.
 */
export type RowCondition =
  | { readonly test: 'always' | 'never' }
  | { readonly test: 'and' | 'or'; readonly conditions: readonly RowCondition[] }
  | AttributeCondition;

/** A condition on one attribute. */
export type AttributeCondition = MembershipCondition | RangeCondition | ExceptionCondition;

/** The attribute is, or is not, one of some values. */
export interface MembershipCondition {
  readonly test: 'in' | 'not_in';
  readonly attribute: string;
  readonly values: readonly string[] | readonly number[] | readonly boolean[];
}

/** The attribute is a number in a range. */
export interface RangeCondition {
  readonly test: 'gt' | 'gte' | 'lt' | 'lte';
  readonly attribute: string;
  readonly value: number;
}

/** The attribute is not a number up to this one: true of a row that lacks it, for what only few rows have. */
export interface ExceptionCondition {
  readonly test: 'not_lte';
  readonly attribute: string;
  readonly value: number;
}

type Scalar = string | number | boolean;

const comparisons = {
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
} as const;

/** Whether a document's attributes meet a condition: the reference for every engine that translates conditions to its own. */
export function meets(attributes: Attributes, condition: RowCondition): boolean {
  switch (condition.test) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'and':
      return condition.conditions.every((part) => meets(attributes, part));
    case 'or':
      return condition.conditions.some((part) => meets(attributes, part));
    case 'in':
    case 'not_in': {
      const value = attributes.get(condition.attribute);
      const isAmong = value !== undefined && (condition.values as readonly Scalar[]).includes(value);
      return isAmong === (condition.test === 'in');
    }
    case 'not_lte': {
      const value = attributes.get(condition.attribute);
      return typeof value !== 'number' || value > condition.value;
    }
    default: {
      const value = attributes.get(condition.attribute);
      return typeof value === 'number' && comparisons[condition.test](value, condition.value);
    }
  }
}

/** The condition that every row meets. */
export const always: RowCondition = { test: 'always' };
/** The condition that no row meets. */
export const never: RowCondition = { test: 'never' };

function combine(
  kind: 'and' | 'or',
  conditions: readonly RowCondition[],
  neutral: RowCondition,
  absorbing: RowCondition,
): RowCondition {
  const parts = conditions
    .flatMap((part) => (part.test === kind ? part.conditions : [part]))
    .filter((part) => part.test !== neutral.test);
  if (parts.some((part) => part.test === absorbing.test)) return absorbing;
  const [first = neutral, ...others] = parts;
  return others.length === 0 ? first : { test: kind, conditions: parts };
}

/** The condition that all of these are met, in normal form. */
export function allOf(conditions: readonly RowCondition[]): RowCondition {
  return combine('and', conditions, always, never);
}

/** The condition that one of these is met, in normal form. */
export function anyOf(conditions: readonly RowCondition[]): RowCondition {
  return combine('or', conditions, never, always);
}
