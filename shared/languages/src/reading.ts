import { LANGUAGES, type Language } from '@contextloom/contracts';
import { reading as english } from './en/reading.ts';
import { reading as japanese } from './ja/reading.ts';
import type { ReadingWords } from './reading-words.ts';
import { reading as chinese } from './zh/reading.ts';

const data: Readonly<Record<Language, ReadingWords>> = { zh: chinese, en: english, ja: japanese };

/** What a model is asked in a language; apart from the other words, since these are long and one program asks. */
export const readingWordsOf = (language: Language): ReadingWords => data[language];

/** What any of the languages has in a place, as one source of a regular expression. */
export const inAnyLanguage = (pick: (words: ReadingWords) => string): string =>
  LANGUAGES.map((language) => pick(data[language])).join('|');
