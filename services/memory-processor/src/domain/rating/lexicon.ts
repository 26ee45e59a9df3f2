import type { RatingWords, StatementKind } from '@contextloom/languages/rating';
import { anchor } from './scale.ts';

/** Words that make one kind of statement, made ready for matching. */
export interface StatementPattern {
  readonly kind: StatementKind;
  readonly pattern: RegExp;
  readonly importance: number;
  readonly own: boolean;
  /** Importance when negated; 3 less, at least a remark, without it. */
  readonly negated: number | undefined;
  /** One more with a date. */
  readonly datable: boolean;
}

type Pattern =
  | 'self'
  | 'listener'
  | 'others'
  | 'people'
  | 'suppositions'
  | 'jokes'
  | 'numbers'
  | 'times'
  | 'openQuestions';

/** {@link RatingWords} made ready for matching: its words anywhere in a text. */
export interface Lexicon extends Readonly<Record<Pattern, RegExp>> {
  readonly data: RatingWords;
  /** Matches a text that begins with a yes. */
  readonly yes: RegExp;
  /** Matches a text whose end negates what follows. */
  readonly negatedEnd: RegExp;
  /** Matches one greeting or exclamation where it is set to (sticky). */
  readonly smallTalk: RegExp;
  readonly statements: readonly StatementPattern[];
  readonly feelings: readonly { readonly pattern: RegExp; readonly weight: number }[];
}

/** A text as words are matched in it: contractions stand apart from their pronoun (`I'm` is `I 'm`). */
export function toMatchable(text: string): string {
  return text.replaceAll('’', "'").replace(/(?<=[a-z])(?='(?:m|re|ve|d|ll)\b)/giu, ' ');
}

const STRENGTH = [0.3, 0.6, 0.9] as const;

const LETTERS_AND_DIGITS = /[\p{L}\p{N}]/gu;

/** So that `good` does not end the search for `good to see you`. */
function longestFirst(words: string): string {
  return words
    .split(/[,\n]/u)
    .sort((a, b) => b.trim().length - a.trim().length)
    .join(',');
}

/** Whether a text is greetings and exclamations alone, or no words at all; never goes back on what it has read. */
export function isSmallTalk(text: string, { smallTalk }: Lexicon): boolean {
  smallTalk.lastIndex = 0;
  let at = 0;
  while (smallTalk.test(text)) at = smallTalk.lastIndex;
  return text.slice(at).search(LETTERS_AND_DIGITS) === -1;
}

/** Puts numbers in place of the points of the scale. */
function toStatement(words: RatingWords['statements'][number], pattern: RegExp): StatementPattern {
  const { kind, importance, own = false, negated, datable = false } = words;
  const whenNegated = negated === undefined ? undefined : anchor[negated];
  return { kind, pattern, importance: anchor[importance], own, negated: whenNegated, datable };
}

/** Compiles the words of a language. */
export function createLexicon(data: RatingWords): Lexicon {
  const alternatives = (words: string): string =>
    `(?:${toMatchable(words)
      .split(/[,\n]/u)
      .map((word) => word.trim())
      .filter((word) => word !== '')
      .map((word) => word.replaceAll('*', '\\p{L}*').replaceAll(' .. ', "(?: [\\p{L}\\p{N}'-]+){0,3}? "))
      .map((word) => word.replaceAll('…', '[^，。]{0,8}?'))
      .join('|')})`;
  const own = alternatives(data.own);
  const [before, after] = data.spaced ? ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'] : ['', ''];
  const anywhere = (words: string, flags = 'giu') =>
    new RegExp(`${before}${alternatives(words).replaceAll('{own}', own)}${after}`, flags);
  const feelings = [data.good, data.bad].flatMap((levels, side) =>
    levels.map((words, level) => ({
      pattern: anywhere(words),
      weight: (side === 0 ? 1 : -1) * (STRENGTH[level] ?? 0),
    })),
  );
  const words = data.spaced ? "(?:[ '’][\\p{L}'’]+){0,3}\\s*" : '.{0,3}';
  return {
    data,
    feelings,
    self: anywhere(data.self),
    listener: anywhere(data.listener),
    others: anywhere(data.others),
    people: anywhere([data.self, data.own, data.listener, data.others].join(',')),
    suppositions: anywhere(data.suppositions),
    jokes: anywhere(data.jokes, 'iu'),
    numbers: anywhere(data.numbers),
    times: anywhere(data.times),
    negatedEnd: new RegExp(`${alternatives(data.negations)}${words}$`, 'iu'),
    smallTalk: new RegExp(`[^\\p{L}\\p{N}]*${alternatives(longestFirst(data.smallTalk))}${after}`, 'iuy'),
    yes: new RegExp(`^\\s*${alternatives(data.yes)}(?=[^\\p{L}\\p{N}]|$)`, 'iu'),
    openQuestions: anywhere(data.openQuestions, 'iu'),
    statements: data.statements.map((one) => toStatement(one, anywhere(one.words))),
  };
}
