import { freeFormObject, isWellFormed, type JsonObject } from '@contextloom/contracts';
import { z } from 'zod';

/** What a memory can be. */
export const contentTypes = ['conversation', 'decision', 'summary', 'manual'] as const;
/** One of {@link contentTypes}. */
export type ContentType = (typeof contentTypes)[number];

/** The file of what is remembered for good. */
export const LONG_TERM_FILE = 'MEMORY.md';
/** Most characters (Unicode code points) of an entry. */
export const MAX_CONTENT_LENGTH = 10_000;
const MAX_METADATA_LENGTH = 20_000;

/** One memory as callers see it. Times are ISO 8601 UTC; `source_file` is relative to the workspace, with `/`. */
export interface MemoryEntry {
  readonly id: string;
  readonly content: string;
  readonly content_type: ContentType;
  readonly source_file: string;
  readonly date: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** What a person called the entry where that is none of the four types. */
  readonly label?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** The log of a day. */
export interface DailyLog {
  readonly date: string;
  readonly file_path: string;
  /** The ids of its entries, in the order of the file. */
  readonly entries: readonly string[];
  readonly items: readonly MemoryEntry[];
  readonly summary: string | null;
  readonly created_at: string;
}

/** The text of an entry as tools take it. Line ends become `\n`, so that the file keeps its own; those at the end go. */
export const contentSchema = z
  .string()
  .transform((text) => text.replace(/\r\n?/g, '\n').replace(/\n+$/, ''))
  .superRefine((text, context) => {
    const problem = findContentProblem(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

function findContentProblem(text: string): string | undefined {
  if (text.trim() === '') return 'must not be empty';
  // A code point takes two units at most: no need to count where that is too many.
  if (text.length > 2 * MAX_CONTENT_LENGTH || [...text].length > MAX_CONTENT_LENGTH) {
    return `must be at most ${MAX_CONTENT_LENGTH} characters`;
  }
  if (!isWellFormed(text)) return 'contains a lone surrogate';
  if (text.includes('\0') || text.includes('\uFEFF')) return 'contains a character that text files cannot have';
  return undefined;
}

/** The type of an entry as tools take it. */
export const contentTypeSchema = z.enum(contentTypes);

/** Free metadata of an entry, which stands in the file with its id. */
export const metadataSchema = freeFormObject(
  'Anything to keep with the entry: tags, session_id, importance (0 to 10) …',
).refine((metadata) => JSON.stringify(metadata).length <= MAX_METADATA_LENGTH, {
  error: `must be at most ${MAX_METADATA_LENGTH} characters as JSON`,
});

const dateFigures = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a text is a day of the calendar, such as `2026-02-14`. */
export function isDate(text: string): boolean {
  if (!dateFigures.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** A day as callers name it. */
export const dateSchema = z.string().refine(isDate, 'must be a day such as 2026-02-14');

/** The daily log of a day. */
export function toDailyFile(date: string): string {
  return `memory/${date}.md`;
}

/** The day of a daily log; undefined for another file. */
export function fromDailyFile(path: string): string | undefined {
  const date = /^memory\/(.*)\.md$/.exec(path)?.[1];
  return date !== undefined && isDate(date) ? date : undefined;
}

/** Whether a file of the workspace has entries. */
export function hasEntries(path: string): boolean {
  return path === LONG_TERM_FILE || fromDailyFile(path) !== undefined;
}
