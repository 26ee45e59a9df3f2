import { toPlainLine } from './plain.ts';
import type { Look } from './print.ts';
import { renderTable } from './table.ts';

/** What a row of memories shows; `occurred_at` is preferred to `created_at` as its date. */
export interface MemoryRow {
  readonly content: string;
  readonly importance: number | null;
  readonly memory_type: string | null;
  readonly occurred_at?: string | undefined;
  readonly created_at?: string | null | undefined;
  readonly source?: string | undefined;
}

const NOTHING = '–';
/** The date that an episode begins with: the table has a column for it. */
const DATE_HEADER = /^\[\d{4}-\d{2}-\d{2}\]\n/;

/** The day of an ISO 8601 time, or a dash. */
export function toDay(time: string | null | undefined): string {
  return time === null || time === undefined || time === '' ? NOTHING : time.slice(0, 10);
}

/** A table of memories, most columns narrow, the text of each cut after `maxLines` lines. */
export function renderMemories(memories: readonly MemoryRow[], look: Look, maxLines: number): string {
  return renderTable(
    [
      { title: 'rating', align: 'right' },
      { title: 'date' },
      { title: 'type' },
      { title: 'source', maxWidth: 22 },
      { title: 'memory', flexible: true, maxLines },
    ],
    memories.map((memory) => [
      memory.importance === null ? NOTHING : memory.importance.toFixed(1),
      toDay(memory.occurred_at ?? memory.created_at),
      memory.memory_type === null ? NOTHING : toPlainLine(memory.memory_type),
      memory.source === undefined ? NOTHING : toPlainLine(memory.source),
      toPlainLine(memory.content.replace(DATE_HEADER, '')),
    ]),
    look,
  );
}
