import { toMatchable } from './lexicon.ts';
import { toLexicon } from './statements.ts';

/** What is counted in a turn, in the order of {@link detailWeights}. */
export const details = ['words', 'names', 'numbers', 'times', 'self', 'listener', 'questions'] as const;

/** Most of a kind that counts: the fifth name of a turn says no more about it. */
const MOST = 4;
/** A Chinese word has about two characters. */
const WORDS = /[\p{Script=Latin}\d'’]+|\p{Script=Han}{1,2}/gu;
/** A capital within a sentence. */
const NAME = /(?<=[\p{Ll},;]\s{1,2})(?!I\b)\p{Lu}\p{Ll}+|《[^》]+》/gu;
const DIGITS = /\d+/g;

function count(text: string, pattern: RegExp): number {
  return Math.min(MOST, text.match(pattern)?.length ?? 0);
}

/** Counts how much detail a turn has; the words by the logarithm of their number, the rest up to four each. */
export function countDetails(text: string): readonly number[] {
  const matchable = toMatchable(text);
  const { numbers, times, self, listener } = toLexicon(text);
  return [
    Math.log1p(text.match(WORDS)?.length ?? 0),
    count(text, NAME),
    Math.min(MOST, count(matchable, DIGITS) + count(matchable, numbers)),
    count(matchable, times),
    count(matchable, self),
    count(matchable, listener),
    count(text, /[?？]/gu),
  ];
}

/**
 * Weights of {@link details} and, last, the constant: a logistic regression of which turns are asked about later, over five
 * conversations of LoCoMo (https://github.com/snap-research/locomo). `npm run bench:rating` fits and prints them.
 */
export const detailWeights = [1.16, 0.41, 0.69, 1.25, 0.09, -0.48, -0.35, -5.0] as const;

/** How detailed a turn is, 0 to 1. */
export function toDetail(counts: readonly number[], weights: readonly number[] = detailWeights): number {
  const sum = counts.reduce((total, value, index) => total + value * (weights[index] ?? 0), weights.at(-1) ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
