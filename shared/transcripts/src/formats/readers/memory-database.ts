import { asText, fromInstantText } from '../json/json-values.ts';
import { MEMORY_TABLES, type MemoryTable } from '../memory-tables.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';

type Row = Readonly<Record<string, unknown>>;

const toTable = (row: Row): MemoryTable | undefined => MEMORY_TABLES[asText(row['memory_table']) ?? ''];

/** A cell as words; lists are stored as JSON. */
function toWords(cell: unknown): string {
  const text = asText(cell)?.trim() ?? '';
  if (!text.startsWith('[')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join('\n') : text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function createRows(out: Out) {
  let open: string | undefined;
  return (row: Row, at: string) => {
    const table = toTable(row);
    if (table === undefined) return out.fault(at, 'it is no row of a table with memories');
    const about = table.by === undefined ? undefined : asText(row[table.by]);
    const id = [table.program, asText(row['memory_table']), about].filter(Boolean).join('-').slice(0, 200);
    if (id !== open) out.conversation({ id, title: about ?? table.program });
    open = id;
    const text = [...new Set(table.text.map((key) => toWords(row[key])).filter((words) => words !== ''))].join('\n');
    if (row['is_deleted'] === 1) return out.leftOut('deleted message', at, text);
    const time = table.time.map((key) => row[key]).find((one) => one != null);
    const { speaker } = table;
    out.turn({
      ...(speaker === undefined ? { role: 'user' } : { speaker, role: 'other' }),
      text,
      ...fromInstantText(time),
    });
  };
}

/** The database of claude-mem or of MIRIX, as rows. */
export const memoryDatabase: Reader = {
  name: 'memory-database',
  title: 'memories of claude-mem or MIRIX (database)',
  detect: ({ json, jsonLines }) =>
    jsonLines?.some((row) => toTable(row) !== undefined) === true ||
    (jsonLines === undefined && typeof json === 'object' && json !== null && 'memory_table' in json),
  read: (out) => createJsonLineSink(createRows(out), out),
};
