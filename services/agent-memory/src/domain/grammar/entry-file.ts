import { fromLogFile, LONG_TERM_FILE } from '../model/files.ts';
import { parseDailyLog } from './daily-log.ts';
import { parseLongTerm } from './long-term.ts';
import type { ParsedEntry } from './parsed-entry.ts';

/** The entries of MEMORY.md or a daily log, in the order of the file, and the summary of a log; none of any other file. */
export function parseEntryFile(
  path: string,
  text: string,
): { readonly entries: readonly ParsedEntry[]; readonly summary: string | undefined } {
  const date = fromLogFile(path);
  if (date !== undefined) return parseDailyLog(text, date);
  const days = path === LONG_TERM_FILE ? parseLongTerm(text) : [];
  return { entries: days.flatMap(({ entries }) => entries), summary: undefined };
}

/** The entries of MEMORY.md or a daily log, in the order of the file; none of any other file. */
export function parseEntries(path: string, text: string): readonly ParsedEntry[] {
  return parseEntryFile(path, text).entries;
}
