import type { Attributes, RowCondition, Selection } from '../store.ts';
import { type HeldRow, toAttributesOf } from './rows.ts';

type Scalar = string | number | boolean;

const comparisons = {
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
} as const;

/** Whether attributes meet a condition: what the engine's own filter only comes near to. */
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

/** Whether a row is shown, and is one of the selection's. */
export function isSelected(row: HeldRow, { visible, condition }: Selection): boolean {
  if (row.state !== 'live') return false;
  if (visible.kind === 'owners' && !visible.owners.includes(row.head.owner)) return false;
  return condition.test === 'always' || meets(toAttributesOf(row), condition);
}
