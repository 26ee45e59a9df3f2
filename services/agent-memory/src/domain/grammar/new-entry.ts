import type { Language } from '@contextloom/contracts';
import type { ContentType } from '@contextloom/contracts/agent-memory';
import { typeLabels } from '../model/titles.ts';
import { type Mark, printMark } from './mark.ts';

/** An entry to be written. */
export interface NewEntry {
  readonly date: string;
  /** `HH:MM`. */
  readonly time: string;
  readonly contentType: ContentType;
  /** In place of the type's own word. */
  readonly label?: string | undefined;
  readonly content: string;
  readonly mark: Mark;
}

/** How the text of an entry is written: as it is, or in a code fence that nothing in it can end. */
export type Form = 'plain' | 'fenced';

/** The mark and text of an entry, with `\n` as line ends and none at the end. */
export function printBody(prefix: string, content: string, mark: Mark, form: Form): string {
  if (form === 'plain') return `${printMark({ ...mark, isFenced: false })}\n${prefix}${content}`;
  const longest = Math.max(3, ...(content.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const head = prefix === '' ? '' : `${prefix.trim()}\n`;
  return `${printMark({ ...mark, isFenced: true })}\n${head}${fence}text\n${content}\n${fence}`;
}

/** The heading of an entry in a daily log. */
export function printHeading({ time, contentType, label }: NewEntry, language: Language): string {
  return `### ${time} - ${label ?? typeLabels[contentType][language]}`;
}
