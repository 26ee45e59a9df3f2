import { Readable } from 'node:stream';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { createTimeSlices, mapInSlices } from '@contextloom/runtime/scheduling';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { type MemoryDocument, tables } from '../domain/transfer/document.ts';

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
  'import_id',
  'kind',
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

/** Writes a document as one table, in which each row names the kind of its record; in time slices, as it may be long. */
export async function toCsv(document: MemoryDocument): Promise<string> {
  const rows = tables.flatMap((table) => document[table].map((record: object) => ({ table, record })));
  const lines = await mapInSlices(rows, ({ table, record }) =>
    stringify([columns.map((column) => (column === 'record' ? table : toCell(column, Reflect.get(record, column))))]),
  );
  return [stringify([columns]), ...lines].join('');
}

/** The source and the row that errors name. */
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

/** How much text is read at once: a few milliseconds' worth. */
const CHUNK_BYTES = 32_768;

function* toChunks(text: string): Generator<Buffer, void> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES);
}

/** Reads rows one by one; columns of other names are left out. */
async function* readRows(csv: string, source: string): AsyncGenerator<Row, void> {
  const refuse = (more: string, cause?: unknown) =>
    new ContextloomError('invalid', `${source} must be CSV as export_data writes it${more}`, { field: source, cause });
  const readHead = (head: string[]): (string | false)[] => {
    if (!head.includes('record')) throw refuse(': there is no column record');
    return head.map((column) => columns.includes(column) && column);
  };
  const options = { columns: readHead, bom: true, skip_empty_lines: true, relax_column_count_less: true };
  try {
    yield* Readable.from(toChunks(csv)).pipe(parse(options));
  } catch (error) {
    throw isContextloomError(error) ? error : refuse('', error);
  }
}

/**
 * Reads such a table as an unparsed document, in slices between which other calls are answered; an empty
 * cell is no value.
 * @throws ContextloomError `invalid`, naming the source and the row
 */
export async function fromCsv(csv: string, source: string): Promise<Readonly<Record<string, unknown>>> {
  const run = createTimeSlices();
  const records = new Map<string, object[]>(tables.map((table) => [table, []]));
  let row = 1; // The first has the names of the columns.
  for await (const { record = '', ...cells } of readRows(csv, source)) {
    row += 1;
    const place = { source, row };
    const list = records.get(record);
    if (list === undefined) throw toCellError(place, 'record', `must be one of ${tables.join(', ')}`);
    const given = Object.entries(cells).filter(([, cell]) => cell !== '');
    list.push(
      await run(() => Object.fromEntries(given.map(([column, cell]) => [column, toValue(column, cell, place)]))),
    );
  }
  return { format: 'contextloom-personal-memory', version: 1, ...Object.fromEntries(records) };
}
