import CliTable from 'cli-table3';
import type { Style } from './style.ts';
import { displayWidth, wrap, wrapAtMost } from './text-width.ts';

/** One column: `flexible` columns share the width that the others leave; `maxWidth` wraps, `maxLines` cuts long cells. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  readonly flexible?: boolean;
  readonly maxWidth?: number;
  readonly maxLines?: number;
}

/** Narrower than this, a column of text cannot be read: the table then grows wider than asked. */
const MIN_FLEXIBLE_COLUMNS = 20;
/** A border and two spaces of padding for each column. */
const FRAME_PER_COLUMN = 3;

function naturalWidth(column: Column, cells: readonly string[]): number {
  const widest = Math.max(displayWidth(column.title), ...cells.flatMap((cell) => cell.split('\n').map(displayWidth)));
  return Math.min(widest, column.maxWidth ?? widest);
}

function contentWidths(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): number[] {
  const natural = columns.map((column, index) =>
    naturalWidth(
      column,
      rows.map((row) => row[index] ?? ''),
    ),
  );
  const flexible = columns.filter((column) => column.flexible === true).length;
  const fixed = natural.reduce((sum, value, index) => (columns[index]?.flexible === true ? sum : sum + value), 0);
  const left = width - 1 - columns.length * FRAME_PER_COLUMN - fixed;
  const share = Math.max(MIN_FLEXIBLE_COLUMNS, Math.floor(left / Math.max(1, flexible)));
  return natural.map((value, index) => (columns[index]?.flexible === true ? Math.min(value, share) : value));
}

/**
 * A table of plain text at most `width` terminal columns wide, where Chinese text lines up too.
 * @param rows one cell a column, without colour codes
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  const widths = contentWidths(columns, rows, width);
  const table = new CliTable({
    head: columns.map((column) => style.strong(column.title)),
    colWidths: widths.map((value) => value + 2),
    colAligns: columns.map((column) => column.align ?? 'left'),
    style: { head: [], border: style.colors ? ['grey'] : [], compact: true },
  });
  for (const row of rows) {
    table.push(
      columns.map((column, index) => {
        const cell = row[index] ?? '';
        const columnWidth = widths[index] ?? displayWidth(cell);
        const lines =
          column.maxLines === undefined ? wrap(cell, columnWidth) : wrapAtMost(cell, columnWidth, column.maxLines);
        return lines.join('\n');
      }),
    );
  }
  return table.toString();
}
