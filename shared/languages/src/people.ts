import { LANGUAGES, type Language } from '@contextloom/contracts';
import { people as english } from './en/people.ts';
import { people as japanese } from './ja/people.ts';
import type { PeopleWords } from './people-words.ts';
import { people as chinese } from './zh/people.ts';

export type { PeopleWords } from './people-words.ts';

const data: Readonly<Record<Language, PeopleWords>> = { zh: chinese, en: english, ja: japanese };

/** How people are named, in each language: what somebody says may be in any of them. */
export const peopleWords: readonly PeopleWords[] = LANGUAGES.map((language) => data[language]);
