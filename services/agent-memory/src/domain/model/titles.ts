import { LANGUAGES, type Language, toComparableTitle } from '@contextloom/contracts';
import type { ContentType } from '@contextloom/contracts/agent-memory';
import { type FileTitle, inEachLanguage, wordsOf } from '@contextloom/languages';

/** A title in each language: all are read, one is written. */
export type Title = Readonly<Record<Language, string>>;

/** What entries are called in headings. */
export const typeLabels: Readonly<Record<ContentType, Title>> = {
  conversation: inEachLanguage(({ files }) => files.entryTypes.conversation),
  decision: inEachLanguage(({ files }) => files.entryTypes.decision),
  summary: inEachLanguage(({ files }) => files.entryTypes.summary),
  manual: inEachLanguage(({ files }) => files.entryTypes.manual),
};

const keys = Object.keys(wordsOf('en').files.titles) as FileTitle[];

/** The titles of files and sections. */
export const titles = Object.fromEntries(
  keys.map((key) => [key, inEachLanguage(({ files }) => files.titles[key])]),
) as Readonly<Record<FileTitle, Title>>;

/** Whether a heading or key has a title, in any language. */
export function isTitled(text: string, title: Title): boolean {
  return LANGUAGES.some((language) => toComparableTitle(title[language]) === toComparableTitle(text));
}

/** The type that a label names, in any language; undefined for another word. */
export function fromTypeLabel(label: string): ContentType | undefined {
  const types = Object.keys(typeLabels) as ContentType[];
  return types.find((type) => type === toComparableTitle(label) || isTitled(label, typeLabels[type]));
}
