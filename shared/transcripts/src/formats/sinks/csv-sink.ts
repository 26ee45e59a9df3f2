import { parse } from 'csv-parse/sync';
import type { Sink } from '../reader.ts';
import { unreadable } from '../unreadable.ts';
import { createLineSink } from './line-sink.ts';

/** The longest record, in characters: an open quotation mark would swallow the rest of the file. */
const MAX_RECORD = 1024 * 1024;

/** Counts quotation marks: a record ends where they are even in number. */
function countQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

/** The cells of a record of CSV. */
export function parseRecord(record: string, delimiter = ','): readonly string[] {
  // Most records quote nothing; the parser goes through every byte.
  if (record !== '' && !/["\r\n]/u.test(record)) return record.split(delimiter);
  const [cells] = parse(record, { delimiter, relax_quotes: true, relax_column_count: true }) as string[][];
  return cells ?? [];
}

interface CsvOptions {
  readonly onFault: (at: string, reason: string) => void;
  readonly onEnd?: () => void;
  /** A comma without it. */
  readonly delimiter?: string | undefined;
}

/** Reads CSV with names above its columns; a record may go over several lines. */
export function createCsvSink(
  onRecord: (record: Readonly<Record<string, string>>, at: string) => void,
  { onFault, onEnd, delimiter = ',' }: CsvOptions,
): Sink {
  let header: readonly string[] | undefined;
  let open: string[] = [];
  let length = 0;
  let quotes = 0;
  let first = 1;
  const take = (record: string, at: string) => {
    let cells: readonly string[];
    try {
      cells = parseRecord(record, delimiter);
    } catch (cause) {
      if (header === undefined) throw unreadable(`${at} is no record of CSV`, cause);
      return onFault(at, 'it is no record of CSV');
    }
    if (header === undefined) header = cells.map((cell) => cell.replace(/^\uFEFF/u, '').trim());
    else onRecord(Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])), at);
  };
  return createLineSink(
    (line, number) => {
      if (open.length === 0) first = number;
      if (open.length === 0 && line.trim() === '') return;
      open.push(line);
      length += line.length;
      quotes += countQuotes(line);
      const at = `line ${first}`;
      if (quotes % 2 === 0) take(open.join('\n'), at);
      else if (length > MAX_RECORD) onFault(at, 'a quotation mark in it is never closed');
      else return;
      [open, length, quotes] = [[], 0, 0];
    },
    () => {
      if (open.length > 0) onFault(`line ${first}`, 'a quotation mark in it is never closed');
      onEnd?.();
    },
  );
}
