import type { Attributes, RowCondition } from './conditions.ts';

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
    default: {
      const value = attributes.get(condition.attribute);
      return typeof value === 'number' && comparisons[condition.test](value, condition.value);
    }
  }
}
