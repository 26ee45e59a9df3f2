import { stemmer } from 'stemmer';
import { cjkCharacter } from '../chinese/cjk-character.ts';
import { simplifyCharacter } from '../chinese/simplify.ts';
import { foldDiacritics, normalizeText } from './normalize-text.ts';
import { isStopCharacter, isStopWord } from './stop-words.ts';

/** The tokens of a text, in order of appearance, with repeats. */
export interface Tokens {
  /** Stemmed words, numbers, and every two neighbouring CJK characters; Chinese ones in their simplified form. */
  readonly terms: readonly string[];
  /** Single CJK characters. */
  readonly unigrams: readonly string[];
}

/** How a text is tokenised. */
export interface TokenizeOptions {
  /** Keeps words without content, as an index should: then even `who am I` and `的` find what contains them. */
  readonly keepStopWords?: boolean;
}

const word = String.raw`[[\p{L}\p{N}\p{M}]--${cjkCharacter}]`;
const apostrophe = `['’‘ʼ]`;

/**
 * A stretch of CJK text, or a word. Longer stretches come in several matches, so that no input exhausts the stack of the
 * expression: CJK stretches are joined again, a "word" of over 256 characters becomes several tokens.
 */
const piece = new RegExp(`(${cjkCharacter}{1,256})|(?!\\p{M})${word}(?:${word}|${apostrophe}(?=\\p{L})){0,255}`, 'gv');

/** The English possessive, and verbs shortened to a tail: `she'll` → `she`. */
const tail = new RegExp(`${apostrophe}(?:s|d|m|ll|re|ve)$`, 'v');
const apostrophes = new RegExp(apostrophe, 'gv');
const latin = /\p{Script=Latin}/u;

/** Porter's rules are for English words; nothing longer than the longest of them is one. */
const stemmable = /^[a-z]{3,45}$/;

/** How often a text has each of its tokens. */
export interface TokenCounts {
  readonly terms: ReadonlyMap<string, number>;
  readonly unigrams: ReadonlyMap<string, number>;
  /** How many terms there are, repeats included. */
  readonly termCount: number;
  readonly unigramCount: number;
}

/** Takes the tokens of a text one by one, and gives what they come to. */
interface Collector<Result> {
  readonly add: (kind: keyof Tokens, token: string) => void;
  readonly finish: () => Result;
}

/**
 * Cuts text of any language into search tokens that hold no white space and no ASCII punctuation, so that they are safe
 * in a space-separated column; words without content are left out unless nothing else is there.
 */
export function tokenize(text: string, options: TokenizeOptions = {}): Tokens {
  return collectTokens(text, options, () => {
    const tokens = { terms: [] as string[], unigrams: [] as string[] };
    return { add: (kind, token) => void tokens[kind].push(token), finish: () => tokens };
  });
}

/** Counts the tokens that {@link tokenize} gives, in less memory: a long text has far more tokens than different ones. */
export function countTokens(text: string, options: TokenizeOptions = {}): TokenCounts {
  return collectTokens(text, options, () => {
    const counts = { terms: new Map<string, number>(), unigrams: new Map<string, number>() };
    const all = { terms: 0, unigrams: 0 };
    return {
      add: (kind, token) => {
        all[kind] += 1;
        counts[kind].set(token, (counts[kind].get(token) ?? 0) + 1);
      },
      finish: () => ({ ...counts, termCount: all.terms, unigramCount: all.unigrams }),
    };
  });
}

/** Collects the tokens with content, or all if none has any or all are wanted. */
function collectTokens<Result>(
  text: string,
  { keepStopWords = false }: TokenizeOptions,
  create: () => Collector<Result>,
): Result {
  const kept = create();
  let withoutContent: Collector<Result> | undefined = create();
  visitTokens(text, (kind, token, isStop) => {
    if (isStop && !keepStopWords) {
      withoutContent?.add(kind, token);
      return;
    }
    withoutContent = undefined;
    kept.add(kind, token);
  });
  return (withoutContent ?? kept).finish();
}

function visitTokens(text: string, visit: (kind: keyof Tokens, token: string, isStop: boolean) => void): void {
  let previous = '';
  let previousEnd = -1;
  for (const match of normalizeText(text).matchAll(piece)) {
    const [matched, run] = match;
    if (run === undefined) {
      const folded = foldWord(matched);
      if (folded === '') continue; // A lone modifier letter apostrophe, which Unicode counts among letters.
      const isStop = isStopWord(folded);
      // Stemmed, the stop words `his` and `was` would turn into `hi` and `wa`, and meet other words.
      visit('terms', isStop ? folded : stemTerm(folded), isStop);
      continue;
    }
    if (match.index !== previousEnd) previous = '';
    for (const written of run) {
      const character = simplifyCharacter(written);
      const isStop = isStopCharacter(character);
      if (previous !== '') visit('terms', previous + character, isStop && isStopCharacter(previous));
      visit('unigrams', character, isStop);
      previous = character;
    }
    previousEnd = match.index + matched.length;
  }
}

/** Most words whose stems are known without the rules: a person's texts have some thousands of different ones. */
const MOST_STEMS = 20_000;
const stems = new Map<string, string>();

/** The term of a folded lower-case word that is no stop word. */
export function stemTerm(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (!stemmable.test(word)) return word;
  if (stems.size >= MOST_STEMS) stems.clear();
  const stem = stemmer(word);
  stems.set(word, stem);
  return stem;
}

/** A word of a text with content, folded and in lower case, and the term that the tokeniser makes of it. */
export interface ContentWord {
  readonly word: string;
  readonly term: string;
}

/** The words of a text that are written in Latin letters and carry content, in order of appearance, with repeats. */
export function findContentWords(text: string): readonly ContentWord[] {
  return [...normalizeText(text).matchAll(piece)].flatMap(([matched, run]) => {
    if (run !== undefined) return [];
    const word = foldWord(matched);
    return latin.test(word) && !isStopWord(word) ? [{ word, term: stemTerm(word) }] : [];
  });
}

/** A word that has nothing to fold, as most have. */
const plain = /^[a-z\d]+$/;

function foldWord(matched: string): string {
  if (plain.test(matched)) return matched;
  const bare = matched.replace(tail, '').replace(apostrophes, '');
  return latin.test(bare) ? foldDiacritics(bare) : bare;
}
