import { LANGUAGES, type Language } from '@contextloom/contracts';
import { english } from './en/index.ts';
import { japanese } from './ja/index.ts';
import type { LanguageData } from './language-data.ts';
import { chinese } from './zh/index.ts';

const data: Readonly<Record<Language, LanguageData>> = { zh: chinese, en: english, ja: japanese };

/** The words of a language. */
export const wordsOf = (language: Language): LanguageData => data[language];

/** A value of each language, such as a title in all of them. */
export function inEachLanguage<T>(pick: (words: LanguageData) => T): Readonly<Record<Language, T>> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, pick(data[language])])) as Record<Language, T>;
}
