import { fromDailyFile, LONG_TERM_FILE } from '../entry.ts';
import { parseDailyLog } from './daily-log.ts';
import { parseLongTerm } from './long-term.ts';
import type { ParsedEntry } from './parsed-entry.ts';

/** The entries of MEMORY.md or a daily log, in the order of the file; none of any other file. */
export function parseEntries(path: string, text: string): readonly ParsedEntry[] {
  if (path === LONG_TERM_FILE) return parseLongTerm(text).flatMap(({ entries }) => entries);
  const date = fromDailyFile(path.replace('memory/archive/', 'memory/'));
  return date === undefined ? [] : parseDailyLog(text, date).entries;
}
