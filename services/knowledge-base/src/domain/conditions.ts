import type { RowCondition } from '../store/store.ts';

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
