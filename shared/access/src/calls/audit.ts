import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { createStream } from 'rotating-file-stream';
import type { Principal } from '../principal/principal.ts';

/** One call, as the audit log has it: who, what, about whom, and how it ended; never what was said. */
export interface AuditEntry {
  readonly principal: Principal;
  /** The operation's name, or the route. */
  readonly operation: string;
  readonly subjects: readonly string[];
  /** `ok`, or the code of the error. */
  readonly outcome: string;
}

/** One line of the audit log. */
export interface AuditLine {
  /** ISO 8601 UTC. */
  readonly time: string;
  /** The principal's name. */
  readonly who: string;
  readonly operation: string;
  readonly subjects: readonly string[];
  readonly outcome: string;
}

/** Writes calls down. */
export interface Audit {
  readonly write: (entry: AuditEntry) => void;
  readonly close: () => Promise<void>;
}

/** The outcome of a call that failed. */
export function codeOf(error: unknown): string {
  return isContextloomError(error) ? error.code : 'internal';
}

const SIZE = '10M';
const MAX_FILES = 10;
/** Ids are at most 256 characters long; a call about many names the first. */
const MAX_SUBJECTS = 20;

/** What an audit log is opened with. */
export interface AuditOptions {
  readonly file: string;
  readonly clock: () => Date;
  readonly log: Log;
  /** Gets each line that is written. */
  readonly onLine?: (line: AuditLine) => void;
}

/** How long lines are gathered before they are written, in milliseconds: each write costs as much as a tenth of a call. */
const GATHER_MS = 100;

/**
 * Opens an audit log of JSON Lines that is replaced when it has grown to 10 MB; ten are kept. A failure is logged, once. Closing it
 * writes what was gathered.
 */
export function createAudit({ file, clock, log, onLine }: AuditOptions): Audit {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const stream = createStream(basename(file), { path: dirname(file), size: SIZE, maxFiles: MAX_FILES, mode: 0o600 });
  stream.once('error', (cause: Error) => log.error({ cause, file }, 'the audit log cannot be written'));
  stream.on('error', () => undefined);
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered !== '') stream.write(gathered);
    gathered = '';
  };
  return {
    write: ({ principal, operation, subjects, outcome }) => {
      const named = subjects.slice(0, MAX_SUBJECTS);
      const line: AuditLine = { time: clock().toISOString(), who: principal.name, operation, subjects: named, outcome };
      gathered += `${JSON.stringify(line)}\n`;
      timer ??= setTimeout(flush, GATHER_MS);
      onLine?.(line);
    },
    close: () => {
      flush();
      return new Promise((resolve) => stream.end(() => resolve()));
    },
  };
}
