import type { z } from 'zod';
import { type ImportReport, PAGE_LENGTH } from './archive.ts';
import { ContextloomError, isContextloomError } from './errors.ts';
import { parseInput } from './parse.ts';

/** A record to be exported, and where an export goes on after it. */
export interface PlacedRecord {
  readonly record: object;
  readonly cursor: string;
}

/** Writes records until the page is full; `next_cursor` is that of the last, where others follow. */
export async function toPage(
  records: AsyncIterable<PlacedRecord> | Iterable<PlacedRecord>,
): Promise<{ readonly lines: string; readonly next_cursor?: string }> {
  const lines: string[] = [];
  let length = 0;
  let last = '';
  for await (const { record, cursor } of records) {
    if (length >= PAGE_LENGTH) return { lines: lines.join(''), next_cursor: last };
    const line = `${JSON.stringify(record)}\n`;
    lines.push(line);
    length += line.length;
    last = cursor;
  }
  return { lines: lines.join('') };
}

/** How many refused records a report names. */
const MOST_REFUSED = 100;

/**
 * Parses one line.
 * @throws ContextloomError `invalid`
 */
export function parseLine<S extends z.ZodType>(schema: S, line: string): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new ContextloomError('invalid', 'is not JSON', { cause });
  }
  return parseInput(schema, value);
}

/**
 * Parses lines and takes each in, in order; a line that is refused with `invalid`, `conflict`, `forbidden` or `too_large` does not
 * keep the others out.
 * @param take takes one record in; answers whether it is new here
 * @param before how many lines were taken in before these, for the numbers in the report
 */
export async function importLines<S extends z.ZodType>(
  lines: readonly string[],
  schema: S,
  take: (record: z.output<S>) => Promise<boolean>,
  before = 0,
): Promise<ImportReport> {
  const refused: ImportReport['refused'][number][] = [];
  const counts = { imported: 0, known: 0, refused_count: 0 };
  for (const [at, line] of lines.entries()) {
    try {
      counts[(await take(parseLine(schema, line))) ? 'imported' : 'known'] += 1;
    } catch (error) {
      if (!isContextloomError(error) || !['invalid', 'conflict', 'forbidden', 'too_large'].includes(error.code))
        throw error;
      counts.refused_count += 1;
      if (refused.length < MOST_REFUSED) refused.push({ record: `line ${before + at + 1}`, problem: error.message });
    }
  }
  return { ...counts, refused };
}
