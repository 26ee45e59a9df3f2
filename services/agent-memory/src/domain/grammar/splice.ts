import { ContextloomError } from '@contextloom/contracts';
import { toLineEnd } from './blocks.ts';
import { parseEntries } from './entry-file.ts';
import type { ParsedEntry } from './parsed-entry.ts';

/** Puts lines in the place of a part of a text, with its own line ends. */
export function splice(text: string, start: number, end: number, lines: string): string {
  return text.slice(0, start) + lines.replaceAll('\n', toLineEnd(text)) + text.slice(end);
}

/** Puts a block of lines at a place, with a blank line on each side. */
export function insertBlock(text: string, at: number, block: string): string {
  const before = text.slice(0, at).replace(/\r\n?/g, '\n');
  const isBlank = /^\uFEFF?$/.test(before) || before.endsWith('\n\n');
  const gap = isBlank ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return splice(text, at, at, `${gap}${block}\n${at < text.length ? '\n' : ''}`);
}

/** The error of a file in which nothing can be written where it would be read again. */
export function toUnreadableError(path: string): ContextloomError {
  return new ContextloomError(
    'conflict',
    `${path} has an open code fence or comment that would swallow what is written: close it and try again`,
    { field: path },
  );
}

/** What an entry is by its file, without its places. */
export type ExpectedEntry = Pick<ParsedEntry, 'date' | 'time' | 'contentType' | 'label' | 'content'> & {
  readonly mark: { readonly id: string } | undefined;
};

/** Whether a text has just these entries, in any order. */
export function isAsMeant(path: string, text: string, expected: readonly ExpectedEntry[]): boolean {
  const toKeys = (entries: readonly ExpectedEntry[]) =>
    entries.map((one) =>
      JSON.stringify([one.mark?.id ?? '', one.date, one.time, one.contentType, one.label, one.content]),
    );
  return toKeys(parseEntries(path, text)).sort().join('\n') === toKeys(expected).sort().join('\n');
}
