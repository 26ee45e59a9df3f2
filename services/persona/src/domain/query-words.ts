import { inEachLanguage } from '@contextloom/languages';
import { tokenize } from '@contextloom/retrieval';

const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]`;
const cjkRun = new RegExp(`${cjk}+`, 'gu');
const cjkCharacter = new RegExp(cjk, 'u');
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

const questionWords = new Set(
  Object.values(inEachLanguage(({ search }) => search.questionWords)).flatMap((words) => words.split(' ')),
);

/** The shortest word of letters that matches as a prefix: "book" finds "bookshop", "tea" does not find "team". */
const SHORTEST_BEGINNING = 4;

/** A text prepared for searches: CJK text unchanged, other text as stems. */
export interface SearchableText {
  readonly folded: string;
  readonly stems: readonly string[];
}

/** Prepares a text for searches. */
export function toSearchable(text: string): SearchableText {
  const { terms } = tokenize(text, { keepStopWords: true });
  return { folded: fold(text), stems: [...new Set(terms)].filter((term) => !isCjk(term)) };
}

/** Whether a text has a query word of {@link toQueryWords}. */
export function holdsWord(text: SearchableText, word: string): boolean {
  if (isCjk(word)) return text.folded.includes(word);
  const findsLonger = word.length >= SHORTEST_BEGINNING;
  return text.stems.some((stem) => stem === word || (findsLonger && stem.startsWith(word)));
}

/** Whether a word is written in a script without spaces between words. */
export function isCjk(word: string): boolean {
  return cjkCharacter.test(word);
}

/**
 * Splits a query into distinct words: stems of what is written with spaces, and runs of CJK text. A run that no
 * searched text contains is split into the terms and the dictionary words in it.
 * @param terms titles and keywords of what is searched
 * @param texts all that is searched
 */
export function toQueryWords(
  query: string,
  terms: readonly SearchableText[],
  texts: readonly SearchableText[],
): readonly string[] {
  const stems = tokenize(query).terms.filter((term) => !isCjk(term));
  const runs = fold(query).match(cjkRun) ?? [];
  const parts = runs.flatMap((run) => (texts.some((text) => holdsWord(text, run)) ? [run] : toParts(run, terms)));
  return [...new Set([...stems, ...parts])];
}

/** The longest terms and words in a run, without those inside a longer one. */
function toParts(run: string, terms: readonly SearchableText[]): readonly string[] {
  const known = terms.map(({ folded }) => folded).filter((term) => isCjk(term) && run.includes(term));
  const segments = [...segmenter.segment(run)].map(({ segment }) => segment);
  const telling = segments.filter((word) => [...word].length > 1 && !questionWords.has(word));
  const longestFirst = [...new Set([...known, ...telling])].sort((a, b) => b.length - a.length);
  return longestFirst.filter((part, at) => !longestFirst.slice(0, at).some((longer) => longer.includes(part)));
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
