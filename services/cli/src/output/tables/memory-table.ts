import { withoutDate } from '@contextloom/contracts';
import type { Look } from '../print.ts';
import { toPlainLine } from '../text/plain.ts';
import { type Column, renderTable } from './table.ts';

/** What a row of memories shows. */
export interface MemoryRow {
  /** Shown by {@link renderNumbered} alone. */
  readonly id?: string | undefined;
  readonly content: string;
  readonly importance: number | null;
  readonly memory_type: string | null;
  readonly occurred_at?: string | undefined;
  readonly occurred_on?: string | undefined;
  readonly source?: string | undefined;
}

const NOTHING = '–';
/** Shown for a memory without a date; the day it was stored does not say when it happened. */
const UNDATED = 'undated';

/** The day of an ISO 8601 time, or "undated" without one. */
export function toDay(time: string | undefined): string {
  return time === undefined || time === '' ? UNDATED : time.slice(0, 10);
}

const toNumbers = (memories: readonly MemoryRow[]): readonly string[] => memories.map((_, at) => String(at + 1));

/**
 * A table of numbered memories, and their ids below it by these numbers: an id has 40 characters and more, and has to stay
 * in one piece to be copied.
 */
export function renderNumbered(memories: readonly MemoryRow[], look: Look, maxLines: number): string {
  const numbers = toNumbers(memories);
  const widest = Math.max(0, ...numbers.map((number) => number.length));
  const ids = memories.flatMap(({ id }, at) =>
    id === undefined ? [] : [`${(numbers[at] ?? '').padStart(widest)}  ${toPlainLine(id)}`],
  );
  return [renderTable(...toTable(memories, maxLines, numbers), look), ...ids].join('\n');
}

/** A table of memories, most columns narrow, the text of each cut after `maxLines` lines. */
export function renderMemories(memories: readonly MemoryRow[], look: Look, maxLines: number): string {
  return renderTable(...toTable(memories, maxLines), look);
}

function toTable(
  memories: readonly MemoryRow[],
  maxLines: number,
  numbers?: readonly string[],
): [columns: readonly Column[], rows: readonly (readonly string[])[]] {
  return [
    [
      ...(numbers === undefined ? [] : [{ title: '#', align: 'right' as const }]),
      { title: 'rating', align: 'right' },
      { title: 'date' },
      { title: 'type' },
      { title: 'source', minWidth: 10, maxWidth: 22, maxLines },
      { title: 'memory', flexible: true, maxLines },
    ],
    memories.map((memory, at) => [
      ...(numbers === undefined ? [] : [numbers[at] ?? '']),
      memory.importance === null ? NOTHING : memory.importance.toFixed(1),
      toDay(memory.occurred_on ?? memory.occurred_at),
      memory.memory_type === null ? NOTHING : toPlainLine(memory.memory_type),
      memory.source === undefined ? NOTHING : toPlainLine(memory.source),
      toPlainLine(withoutDate(memory.content)),
    ]),
  ];
}
