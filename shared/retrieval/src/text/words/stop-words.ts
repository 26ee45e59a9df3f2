import { LANGUAGES } from '@contextloom/contracts';
import { wordsOf } from '@contextloom/languages';

const searches = LANGUAGES.map((language) => wordsOf(language).search);
const words = new Set(searches.flatMap(({ stopWords }) => stopWords.trim().split(/\s+/u)));
const characters = new Set(searches.flatMap(({ stopCharacters }) => [...stopCharacters]));

/** Whether a lower-cased word, its apostrophes removed, carries grammar rather than content. */
export function isStopWord(word: string): boolean {
  return words.has(word);
}

/** Whether a single character of a language that has no blanks carries grammar rather than content. */
export function isStopCharacter(character: string): boolean {
  return characters.has(character);
}
