import { findChineseWords } from '../text/chinese/chinese-words.ts';
import { findContentWords } from '../text/words/tokenize.ts';
import { projectPatterns as patterns, withoutReason } from './patterns.ts';
import type { StatementKind } from './statements.ts';

/** A statement as others are compared with it. */
export interface Compared {
  readonly kind: StatementKind;
  /** What it is about, without numbers and without what makes it a rule. */
  readonly words: ReadonlySet<string>;
  readonly numbers: readonly string[];
  readonly hasBound: boolean;
  /** What it says holds no more, such as Redis in "instead of Redis"; each by its words. */
  readonly replaced: readonly ReadonlySet<string>[];
  readonly isChange: boolean;
  readonly isWithdrawal: boolean;
  readonly isDone: boolean;
}

const NUMBER = /\d+(?:[.,]\d+)*/gu;
/** How much of a text is compared, in UTF-16 code units. */
const READ_LENGTH = 600;
/** How long the name of a replaced thing may be, in UTF-16 code units. */
const NAME_LENGTH = 60;

function toWords(text: string): ReadonlySet<string> {
  const latin = findContentWords(text).flatMap(({ term }) => (/^\d+$/u.test(term) ? [] : [term]));
  return new Set([...latin, ...findChineseWords(text)]);
}

/** The names of things that a statement puts something else in the place of. */
function findReplaced(text: string): readonly string[] {
  const before = [...text.matchAll(patterns.replacedBefore)].map(({ index }) => {
    const start = text.slice(Math.max(0, index - NAME_LENGTH), index);
    return start.slice(start.search(/[^.,;:!?，。；、！？(]*$/u));
  });
  const behind = [...text.matchAll(patterns.replaced)].map(({ index, 0: mark }) => {
    const rest = text.slice(index + mark.length, index + mark.length + NAME_LENGTH);
    const end = rest.search(/[.,;:!?，。；、！？)]/u);
    const clause = end < 0 ? rest : rest.slice(0, end);
    const stop = clause.search(patterns.replacedEnds);
    return stop < 0 ? clause : clause.slice(0, stop);
  });
  return [...before, ...behind];
}

/** Reads what a statement is compared by. */
export function toCompared(kind: StatementKind, text: string): Compared {
  const read = text.slice(0, READ_LENGTH);
  const said = withoutReason(read);
  const names = findReplaced(said);
  // What is rejected is not what the statement is about.
  const kept = names.reduce((rest, name) => (name.trim() === '' ? rest : rest.replace(name, ' ')), said);
  const about = kept
    .replaceAll(patterns.withdrawnEverywhere, ' ')
    .replaceAll(patterns.closedEverywhere, ' ')
    .replaceAll(patterns.openEndsEverywhere, ' ')
    .replaceAll(kind === 'rule' ? patterns.polarity : patterns.generic, ' ');
  return {
    kind,
    words: toWords(about),
    numbers: [...said.matchAll(NUMBER)].map(([number]) => number),
    hasBound: patterns.bounds.test(said),
    replaced: names.map(toWords).filter(({ size }) => size > 0),
    isChange: patterns.changes.test(said),
    isWithdrawal: patterns.withdrawn.test(said),
    isDone: patterns.closed.test(said),
  };
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const word of one) if (other.has(word)) count += 1;
  return count;
}

const share = (part: ReadonlySet<string>, whole: ReadonlySet<string>): number =>
  part.size === 0 ? 0 : countShared(part, whole) / part.size;

const areEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size > 0 && one.size === other.size && countShared(one, other) === one.size;

/** How much of an earlier statement a later one that withdraws or closes it has to name. */
const NAMED = 0.6;
/** How much of each other two statements share that are about one thing. */
const SAME = 0.8;
const HALF = 0.5;

/** Two rules of the same words: the same said again, or its contrary; with other numbers, where these are bounds of one thing. */
function replacesRule(later: Compared, earlier: Compared): boolean {
  if (!areEqual(later.words, earlier.words)) return false;
  if (later.numbers.join() === earlier.numbers.join()) return true;
  return later.hasBound && earlier.hasBound;
}

/** Whether what a later statement gives up is what an earlier one is about, and not merely a word in it for another subject. */
function givesUp(later: Compared, earlier: Compared): boolean {
  return later.replaced.some((name) => {
    if (share(name, earlier.words) < 1) return false;
    const rest = new Set([...earlier.words].filter((word) => !name.has(word)));
    const isOfOtherSubject = later.words.size > 1 && rest.size > 1 && countShared(rest, later.words) === 0;
    return !isOfOtherSubject;
  });
}

/**
 * Whether a statement holds no more since a later one was made: it is said again, taken back, done, or something else stands in its
 * place. Words alone decide, so a rule falls only to what is about it and nothing else.
 */
export function isReplacedBy(earlier: Compared, later: Compared): boolean {
  if (later.isWithdrawal && share(earlier.words, later.words) >= NAMED) return true;
  if (earlier.kind === 'rule') return later.kind === 'rule' && replacesRule(later, earlier);
  if (earlier.kind === 'open') {
    const isDone = later.isDone && later.kind !== 'open' && share(earlier.words, later.words) >= NAMED;
    return isDone || (later.kind === 'open' && areEqual(earlier.words, later.words));
  }
  if (later.kind !== 'decision') return later.isChange && givesUp(later, earlier);
  const [one, other] = [share(earlier.words, later.words), share(later.words, earlier.words)];
  // Other numbers may be of another thing: module 3, port 8081.
  const isSaidAgain = later.numbers.join() === earlier.numbers.join() || (later.hasBound && earlier.hasBound);
  if (one >= SAME && other >= SAME && isSaidAgain) return true;
  return givesUp(later, earlier) || (later.isChange && one > HALF && other > HALF);
}
