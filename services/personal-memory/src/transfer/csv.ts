import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { MemoryDocument } from '../domain/transfer/document.ts';

/** The tables of a document, each record of which becomes a row that names it. */
const tables = ['profile', 'history', 'entities', 'relations', 'events'] as const;

const texts = [
  'key',
  'value',
  'category',
  'change',
  'entity_type',
  'name',
  'status',
  'relation_type',
  'event_type',
  'description',
  'timestamp',
  'created_at',
  'updated_at',
  'changed_at',
];
/** Written as JSON: numbers, lists and objects. */
const others = [
  'entity',
  'event',
  'entity_1',
  'entity_2',
  'entities',
  'parent',
  'aliases',
  'attributes',
  'metadata',
  'tags',
  'confidence',
  'importance',
];
const columns = ['record', ...texts, ...others];
const isJson = new Set(others);

type Row = Readonly<Record<string, string>>;

function toCell(column: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  return isJson.has(column) ? JSON.stringify(value) : String(value);
}

/** Writes a document as one table, in which each row says what it is a record of. */
export function toCsv(document: MemoryDocument): string {
  const rows = tables.flatMap((table) =>
    (document[table] ?? []).map((record: object) =>
      columns.map((column) => (column === 'record' ? table : toCell(column, Reflect.get(record, column)))),
    ),
  );
  return stringify([columns, ...rows]);
}

/** Where a table came from, as errors name it, and the number of the row. */
interface RowPlace {
  readonly source: string;
  readonly row: number;
}

function toCellError({ source, row }: RowPlace, column: string, problem: string, cause?: unknown): ContextloomError {
  return new ContextloomError('invalid', `${source}, row ${row}, column ${column}: ${problem}`, {
    field: source,
    cause,
  });
}

function toValue(column: string, cell: string, place: RowPlace): unknown {
  if (!isJson.has(column)) return cell;
  try {
    return JSON.parse(cell);
  } catch (cause) {
    throw toCellError(place, column, 'must be JSON', cause);
  }
}

function readRows(csv: string, source: string): readonly Row[] {
  const refuse = (more: string, cause?: unknown) =>
    new ContextloomError('invalid', `${source} must be CSV as export_data writes it${more}`, { field: source, cause });
  const readHead = (head: string[]): string[] => {
    if (head.includes('record')) return head;
    throw refuse(': there is no column record');
  };
  try {
    return parse(csv, { columns: readHead, bom: true, skip_empty_lines: true, relax_column_count_less: true });
  } catch (error) {
    throw isContextloomError(error) ? error : refuse('', error);
  }
}

/**
 * Reads such a table as a document that is still to be parsed; an empty cell is no value.
 * @throws ContextloomError `invalid`, naming the source and the row
 */
export function fromCsv(csv: string, source: string): Readonly<Record<string, unknown>> {
  const records: Record<string, object[]> = Object.fromEntries(tables.map((table) => [table, []]));
  readRows(csv, source).forEach(({ record = '', ...cells }, at) => {
    const place = { source, row: at + 2 }; // The first has the names of the columns.
    const given = Object.entries(cells).filter(([column, cell]) => columns.includes(column) && cell !== '');
    const list = records[record];
    if (list === undefined) throw toCellError(place, 'record', `must be one of ${tables.join(', ')}`);
    list.push(Object.fromEntries(given.map(([column, cell]) => [column, toValue(column, cell, place)])));
  });
  return { format: 'contextloom-personal-memory', version: 1, ...records };
}
