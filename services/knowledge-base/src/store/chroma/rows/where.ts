import type { MembershipCondition, RangeCondition, RowCondition } from '@contextloom/retrieval/filter';
import type { Where } from 'chromadb';
import type { Selection, Visibility } from '../../../domain/store.ts';

/** Beyond this the engine refuses some numbers, and others meet what they should not. */
const isExact = (bound: number): boolean => Math.abs(bound) <= Number.MAX_SAFE_INTEGER;

/** Whether the engine compares numbers well enough to narrow by; Chroma Cloud keeps integers in 32 bits. */
export type Numbers = 'narrow' | 'ignore';

function all(parts: readonly Where[]): Where | undefined {
  const [first, ...others] = parts;
  return others.length === 0 ? first : { $and: [...parts] };
}

function some(parts: readonly Where[]): Where | undefined {
  const [first, ...others] = parts;
  return others.length === 0 ? first : { $or: [...parts] };
}

function between(attribute: string, low: number, high: number): Where | undefined {
  return isExact(low) && isExact(high)
    ? { $and: [{ [attribute]: { $gte: low } }, { [attribute]: { $lte: high } }] }
    : undefined;
}

/** Each range is a condition of its own to the engine: many of them cost more than they leave out. */
const MAX_RANGES = 32;

function numberAmong(attribute: string, values: readonly number[]): Where | undefined {
  const whole = values.filter(Number.isSafeInteger);
  const others = values.filter((value) => !Number.isSafeInteger(value));
  if (others.length > MAX_RANGES) return undefined;
  const ranges = others.map((value) => between(attribute, Math.floor(value), Math.ceil(value)));
  if (ranges.some((range) => range === undefined)) return undefined;
  const among = whole.length === 0 ? [] : [{ [attribute]: { $in: whole } }];
  return some([...among, ...ranges.filter((range) => range !== undefined)]);
}

function toMembership({ test, attribute, values }: MembershipCondition, numbers: Numbers): Where | undefined {
  const [first] = values;
  if (typeof first === 'number') {
    // The engine truncates, so that not being among numbers would leave out too much.
    return test === 'in' && numbers === 'narrow' ? numberAmong(attribute, values as readonly number[]) : undefined;
  }
  return { [attribute]: { [test === 'in' ? '$in' : '$nin']: [...values] } } as Where;
}

function toRange({ test, attribute, value }: RangeCondition, numbers: Numbers): Where | undefined {
  if (numbers === 'ignore' || !isExact(value)) return undefined;
  return test === 'gt' || test === 'gte'
    ? { [attribute]: { $gte: Math.floor(value) } }
    : { [attribute]: { $lte: Math.ceil(value) } };
}

/**
 * A filter for the engine that lets through every row that meets the condition, and as few others as the engine can tell
 * apart; `undefined` when it can tell none. Rows that come back are asked again, exactly: see `selected.ts`.
 */
export function toNarrowing(condition: RowCondition, numbers: Numbers): Where | undefined {
  switch (condition.test) {
    case 'always':
    case 'never':
      return undefined;
    case 'and':
      return all(condition.conditions.map((part) => toNarrowing(part, numbers)).filter((part) => part !== undefined));
    case 'or': {
      const parts = condition.conditions.map((part) => toNarrowing(part, numbers));
      return parts.every((part) => part !== undefined) ? some(parts) : undefined;
    }
    case 'in':
    case 'not_in':
      return toMembership(condition, numbers);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return toRange(condition, numbers);
    default:
      return undefined;
  }
}

/** A filter for the engine that lets through the rows that a call may see; `undefined` when that is every row. */
export function toOwnersWhere(visible: Visibility): Where | undefined {
  if (visible.kind === 'everyone') return undefined;
  const [first, ...others] = visible.owners;
  return others.length === 0 ? { 'doc:owner': first ?? '' } : { 'doc:owner': { $in: [...visible.owners] } };
}

/** Both filters of a selection in one. */
export function toSelectionWhere({ visible, condition }: Selection, numbers: Numbers): Where | undefined {
  return all([toOwnersWhere(visible), toNarrowing(condition, numbers)].filter((part) => part !== undefined));
}

/** Whether no row can be in the selection. */
export function isEmpty({ visible, condition }: Selection): boolean {
  return condition.test === 'never' || (visible.kind === 'owners' && visible.owners.length === 0);
}
