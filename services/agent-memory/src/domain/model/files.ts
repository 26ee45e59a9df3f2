import { isDate } from '@contextloom/contracts/agent-memory';

/** The file of who the agent is. */
export const SPIRIT_FILE = 'SPIRIT.md';
/** The file of whom the agent serves. */
export const OWNER_FILE = 'OWNER.md';
/** The file of what the agent can use. */
export const TOOLS_FILE = 'TOOLS.md';
/** The file of what is remembered for good. */
export const LONG_TERM_FILE = 'MEMORY.md';
/** The files at the top of a workspace. */
export const TOP_FILES: readonly string[] = [SPIRIT_FILE, OWNER_FILE, TOOLS_FILE, LONG_TERM_FILE];
/** The folder of daily logs, and that of what was archived of them. */
export const DAYS_FOLDER = 'memory';
export const ARCHIVE_FOLDER = 'memory/archive';

/** The daily log of a day. */
export function toDailyFile(date: string): string {
  return `${DAYS_FOLDER}/${date}.md`;
}

/** Where what is archived of a day's log stands. */
export function toArchiveFile(date: string): string {
  return `${ARCHIVE_FOLDER}/${date}.md`;
}

function fromFile(path: string, folder: string): string | undefined {
  const date = path.startsWith(`${folder}/`) && path.endsWith('.md') ? path.slice(folder.length + 1, -3) : '';
  return isDate(date) ? date : undefined;
}

/** The day of a daily log; undefined for another file. */
export function fromDailyFile(path: string): string | undefined {
  return fromFile(path, DAYS_FOLDER);
}

/** The day of a daily log or of what was archived of it; undefined for another file. */
export function fromLogFile(path: string): string | undefined {
  return fromFile(path, DAYS_FOLDER) ?? fromFile(path, ARCHIVE_FOLDER);
}

/** Whether a file of the workspace has entries that are indexed. */
export function hasEntries(path: string): boolean {
  return path === LONG_TERM_FILE || fromDailyFile(path) !== undefined;
}
