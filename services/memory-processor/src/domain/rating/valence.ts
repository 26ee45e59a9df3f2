import { toMatchable } from './lexicon.ts';
import { lexicons } from './statements.ts';

/**
 * How a sentence feels, −1 (despair) to 1 (joy): the mean of its feeling words, a negated one turned round at half its
 * strength; undefined when it has none.
 */
export function rateValence(sentence: string): number | undefined {
  const text = toMatchable(sentence);
  const weights = lexicons.flatMap(({ feelings, negatedEnd }) =>
    feelings.flatMap(({ pattern, weight }) =>
      Array.from(text.matchAll(pattern), ({ index }) =>
        negatedEnd.test(text.slice(Math.max(0, index - 24), index)) ? -weight / 2 : weight,
      ),
    ),
  );
  if (weights.length === 0) return undefined;
  return weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
}
