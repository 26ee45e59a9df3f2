import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { en, type TextKey } from './en.ts';
import { fill } from './fill.ts';
import { ja } from './ja.ts';
import { type Language, languages } from './languages.ts';
import { zh } from './zh.ts';

const texts: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en, zh, ja };
const STORED = 'contextloom.language';

/** Looks a text up and puts values where its braces are. */
export type Tell = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

interface Texts {
  readonly tell: Tell;
  readonly language: Language;
  readonly change: (language: Language) => void;
}

const TextsContext = createContext<Texts | undefined>(undefined);

/** The texts of the page in the reader's language. */
export function useTexts(): Texts {
  const found = useContext(TextsContext);
  if (found === undefined) throw new Error('no texts around this component');
  return found;
}

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(languages, text);

function readLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (isLanguage(stored)) return stored;
  const known = navigator.languages.map((tag) => tag.split('-')[0] ?? '').find(isLanguage);
  return known ?? 'en';
}

/** Gives the texts to what is below it. */
export function TextsProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(readLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const change = (next: Language): void => {
    localStorage.setItem(STORED, next);
    setLanguage(next);
  };
  const tell: Tell = (key, values = {}) => fill(texts[language][key], values);
  return <TextsContext value={{ tell, language, change }}>{children}</TextsContext>;
}
