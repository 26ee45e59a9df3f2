import type { Language } from '@contextloom/contracts';
import { inEachLanguage, wordsOf } from '@contextloom/languages';
import { LONG_TERM_FILE, OWNER_FILE, SPIRIT_FILE, TOOLS_FILE } from '../model/files.ts';

/** The files of a new workspace by path, with their sections empty. */
export const skeletons: Readonly<Record<Language, Readonly<Record<string, string>>>> = inEachLanguage(({ files }) => ({
  [SPIRIT_FILE]: files.skeletons.spirit,
  [OWNER_FILE]: files.skeletons.owner,
  [TOOLS_FILE]: files.skeletons.tools,
  [LONG_TERM_FILE]: files.skeletons.longTerm,
}));

/** What a new daily log begins with. */
export const toDailySkeleton = (date: string, language: Language): string => wordsOf(language).files.dailyLog(date);
