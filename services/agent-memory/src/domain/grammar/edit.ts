import type { Language } from '@contextloom/contracts';
import { LONG_TERM_FILE } from '../model/files.ts';
import { titles, typeLabels } from '../model/titles.ts';
import { toLineEnd } from './blocks.ts';
import { parseDailyLog } from './daily-log.ts';
import { parseEntries } from './entry-file.ts';
import { parseLongTerm } from './long-term.ts';
import { type Mark, printMark } from './mark.ts';
import { type Form, type NewEntry, printBody, printHeading } from './new-entry.ts';
import type { ParsedEntry } from './parsed-entry.ts';
import { type ExpectedEntry, insertBlock, isAsMeant, splice, toUnreadableError } from './splice.ts';

/** Whether an entry ends where it is to end, whatever follows it: nothing that it opens stays open. */
function isClosed(path: string, entry: NewEntry, form: Form, language: Language): boolean {
  const isLongTerm = path === LONG_TERM_FILE;
  const heading = isLongTerm ? `### ${entry.date}` : printHeading(entry, language);
  const body = printBody(isLongTerm ? toPrefix(entry, language) : '', entry.content, entry.mark, form);
  const next = isLongTerm ? '### 2000-01-01' : '### 00:00';
  return parseEntries(path, `${heading}\n${body}\n\n${next}\nnext\n`).length === 2;
}

/** Tries the plain form, then the fenced one: plain text that Markdown would read as something else is fenced. */
function writeInForm(
  path: string,
  expected: readonly ExpectedEntry[],
  isClosedIn: (form: Form) => boolean,
  write: (form: Form) => string,
): string {
  for (const form of ['plain', 'fenced'] as const) {
    if (!isClosedIn(form)) continue;
    const written = write(form);
    if (isAsMeant(path, written, expected)) return written;
  }
  throw toUnreadableError(path);
}

/** What an entry reads as once it is written. */
function toExpected(entry: NewEntry, path: string): ExpectedEntry {
  return { ...entry, label: entry.label, time: path === LONG_TERM_FILE ? undefined : entry.time };
}

/**
 * Adds an entry at the end of a daily log's section of entries, or of its day in MEMORY.md; sections are made when missing.
 * @throws ContextloomError `conflict` when something left open in the file would swallow it
 */
export function addEntry(path: string, text: string, entry: NewEntry, language: Language): string {
  const isLongTerm = path === LONG_TERM_FILE;
  const { entries, at, heading } = isLongTerm
    ? toLongTermPlace(text, entry.date)
    : toDailyPlace(text, entry.date, language);
  const toBlock = (form: Form): string =>
    isLongTerm
      ? printBody(toPrefix(entry, language), entry.content, entry.mark, form)
      : `${printHeading(entry, language)}\n${printBody('', entry.content, entry.mark, form)}`;
  const expected = [...entries, toExpected(entry, path)];
  const isClosedIn = (form: Form) => isClosed(path, entry, form, language);
  return writeInForm(path, expected, isClosedIn, (form) => insertBlock(text, at, `${heading}${toBlock(form)}`));
}

/** Where a new entry goes, after which others, and the heading that it needs there. */
interface Place {
  readonly entries: readonly ParsedEntry[];
  readonly at: number;
  readonly heading: string;
}

function toDailyPlace(text: string, date: string, language: Language): Place {
  const { entries, entriesEnd } = parseDailyLog(text, date);
  const at = entriesEnd ?? entries.at(-1)?.end;
  if (at !== undefined) return { entries, at, heading: '' };
  return { entries, at: text.length, heading: `## ${titles.entries[language]}\n\n` };
}

function toLongTermPlace(text: string, date: string): Place {
  const days = parseLongTerm(text);
  const day = days.findLast((one) => one.date === date);
  const entries = days.flatMap((one) => one.entries);
  return { entries, at: day?.end ?? text.length, heading: day === undefined ? `### ${date}\n` : '' };
}

/** What stands in brackets before an entry of MEMORY.md. */
function toPrefix({ contentType, label }: Pick<NewEntry, 'contentType' | 'label'>, language: Language): string {
  if (label !== undefined) return `[${label}] `;
  return contentType === 'manual' ? '' : `[${typeLabels[contentType][language]}] `;
}

/** What may change of an entry. */
export type EntryChange = Partial<Pick<NewEntry, 'content' | 'contentType'>> & { readonly mark: Mark };

/**
 * Rewrites one entry: its mark, its text if that changes, and its type's word if that does; nothing else.
 * @throws ContextloomError `conflict` as {@link addEntry}
 */
export function changeEntry(
  path: string,
  text: string,
  entry: ParsedEntry,
  change: EntryChange,
  language: Language,
): string {
  const isRetyped = change.contentType !== undefined && change.contentType !== entry.contentType;
  const changed: NewEntry = {
    date: entry.date,
    time: entry.time ?? '',
    contentType: change.contentType ?? entry.contentType,
    label: isRetyped ? undefined : entry.label,
    content: change.content ?? entry.content,
    mark: change.mark,
  };
  const others = parseEntries(path, text).filter(({ start }) => start !== entry.start);
  const expected = [...others, toExpected(changed, path)];
  if (changed.content === entry.content && !isRetyped) {
    const written = writeMark(text, entry, change.mark);
    if (isAsMeant(path, written, expected)) return written;
  }
  const isClosedIn = (form: Form) => isClosed(path, changed, form, language);
  return writeInForm(path, expected, isClosedIn, (form) =>
    writeChanged({ path, text, entry, changed, isRetyped, form, language }),
  );
}

function writeMark(text: string, entry: ParsedEntry, mark: Mark): string {
  const printed = printMark({ ...mark, isFenced: entry.mark?.isFenced ?? false });
  return splice(text, entry.markStart, entry.bodyStart, `${printed}\n`);
}

interface ChangedEntry {
  readonly path: string;
  readonly text: string;
  readonly entry: ParsedEntry;
  readonly changed: NewEntry;
  readonly isRetyped: boolean;
  readonly form: Form;
  readonly language: Language;
}

function writeChanged({ path, text, entry, changed, isRetyped, form, language }: ChangedEntry): string {
  const isLongTerm = path === LONG_TERM_FILE;
  const body = text.slice(entry.bodyStart, entry.end);
  const prefix = isLongTerm ? toPrefix(changed, language) : '';
  const printed = printBody(prefix, changed.content, changed.mark, form);
  // What is blank after the text stays: it stands between this entry and the next.
  const written = splice(text, entry.markStart, entry.bodyStart + body.trimEnd().length, printed);
  if (isLongTerm || !isRetyped) return written;
  const headingLine = /^[^\r\n]*/.exec(text.slice(entry.start))?.[0] ?? '';
  return splice(written, entry.start, entry.start + headingLine.length, printHeading(changed, language));
}

/** Takes entries out, which stand in the order of the file; the headings of their days in MEMORY.md stay. */
export function removeEntries(path: string, text: string, entries: readonly ParsedEntry[]): string {
  const starts = new Set(entries.map(({ start }) => start));
  const expected = parseEntries(path, text).filter(({ start }) => !starts.has(start));
  const kept = [...entries, undefined].map((entry, at) => text.slice(entries[at - 1]?.end ?? 0, entry?.start));
  const written = kept.join('');
  if (!isAsMeant(path, written, expected)) throw toUnreadableError(path);
  return written;
}

/** Gives marks to entries, by where they begin; undefined when the text would then be read otherwise. */
export function markEntries(path: string, text: string, marks: ReadonlyMap<number, Mark>): string | undefined {
  const lineEnd = toLineEnd(text);
  const entries = parseEntries(path, text);
  let copied = 0;
  const pieces = entries.flatMap(({ start, markStart, bodyStart }) => {
    const mark = marks.get(start);
    if (mark === undefined) return [];
    const before = text.slice(copied, markStart);
    const gap = markStart === 0 || /[\r\n]/.test(text.charAt(markStart - 1)) ? '' : lineEnd;
    copied = bodyStart;
    return [before, gap, printMark(mark), lineEnd];
  });
  const written = [...pieces, text.slice(copied)].join('');
  const expected = entries.map((entry) => ({ ...entry, mark: marks.get(entry.start) ?? entry.mark }));
  return isAsMeant(path, written, expected) ? written : undefined;
}
