import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { AuditLine } from './audit.ts';

/** The newest calls of an audit log, as a person looks at them. */
export interface Activity {
  /** Takes note of a call. */
  readonly note: (line: AuditLine) => void;
  /** The newest first. */
  readonly list: () => Promise<readonly AuditLine[]>;
}

/** So many calls are in memory, about half a megabyte; the file has the rest. */
export const MAX_LINES = 2_000;
/** The end of the file that a start reads, in bytes: about as many lines. */
const TAIL_BYTES = 300_000;

/**
 * Opens the newest calls of an audit log: those that its file ends with, and those that are noted from now on.
 * @param file that may be missing; a line that cannot be read is passed over
 */
export function openActivity(file: string): Activity {
  const lines = readTail(file).split('\n').flatMap(parseLine).slice(-MAX_LINES);
  return {
    note: (line) => {
      lines.push(line);
      // Cut rarely: each cut moves all lines.
      if (lines.length > 2 * MAX_LINES) lines.splice(0, lines.length - MAX_LINES);
    },
    list: async () => lines.slice(-MAX_LINES).reverse(),
  };
}

function readTail(file: string): string {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const start = Math.max(0, fstatSync(handle).size - TAIL_BYTES);
    const bytes = Buffer.alloc(TAIL_BYTES);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, TAIL_BYTES, start));
  } catch (error) {
    // A new installation has no file yet, and what cannot be read is no reason not to start.
    if (Object(error).code !== undefined) return '';
    throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** A line of an audit log; none where the file begins in the middle of a line, or somebody else wrote into it. */
export function parseLine(text: string): readonly AuditLine[] {
  try {
    const { time, who, operation, subjects, outcome } = Object(JSON.parse(text)) as Record<string, unknown>;
    const isText = (value: unknown): value is string => typeof value === 'string';
    if (![time, who, operation, outcome].every(isText) || !Array.isArray(subjects)) return [];
    return [
      {
        time: String(time),
        who: String(who),
        operation: String(operation),
        subjects: subjects.filter(isText),
        outcome: String(outcome),
      },
    ];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
