import { fill } from './fill.ts';
import type { Language } from './languages.ts';
import { useTexts } from './texts.tsx';

/** The texts of one page, which are loaded with it. */
export type ViewTexts<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>;

/** The texts of a page in the reader's language, with values where their braces are. */
export function useViewTexts<Key extends string>(texts: ViewTexts<Key>) {
  const { language } = useTexts();
  return (key: Key, values: Readonly<Record<string, string | number>> = {}): string =>
    fill(texts[language][key], values);
}
