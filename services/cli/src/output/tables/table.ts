import type { Look } from '../print.ts';
import { cutToWidth, displayWidth, wrapAtMost } from '../text/text-width.ts';

/** One column: a `flexible` one gives way first where the room is short, then those with a `minWidth`, down to it. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  readonly flexible?: boolean;
  readonly minWidth?: number;
  readonly maxWidth?: number;
  /** Longer cells are cut; 20 lines by default. */
  readonly maxLines?: number;
}

type Rows = readonly (readonly string[])[];

const DEFAULT_MAX_LINES = 20;
/** To this width a flexible column gives way before others do. */
const COMFORTABLE_COLUMNS = 30;
/** Narrower than this, a flexible column cannot be read. */
const READABLE_COLUMNS = 16;
/** A border and two spaces of padding for each column. */
const FRAME_PER_COLUMN = 3;

/**
 * A table of plain text at most `width` terminal columns wide, where Chinese text lines up too. Where the columns do not
 * fit, each row becomes a block of lines "title: cell".
 * @param rows one cell a column, one line each, without colour codes
 */
export function renderTable(columns: readonly Column[], rows: Rows, look: Look): string {
  const available = look.width - 1 - columns.length * FRAME_PER_COLUMN;
  const widths = fitWidths(columns, naturalWidths(columns, rows, look.width), available);
  return (widths === undefined ? drawBlocks(columns, rows, look) : drawGrid(columns, rows, widths, look)).join('\n');
}

function naturalWidths(columns: readonly Column[], rows: Rows, limit: number): number[] {
  return columns.map(({ title, maxWidth = limit }, index) => {
    const cells = rows.map((row) => displayWidth(cutToWidth(row[index] ?? '', maxWidth)));
    return Math.max(displayWidth(title), ...cells);
  });
}

/** The widths of the columns, together at most `available`, or nothing when they do not fit. */
function fitWidths(columns: readonly Column[], natural: readonly number[], available: number): number[] | undefined {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  const floors: readonly ((column: Column) => number | undefined)[] = [
    ({ flexible }) => (flexible === true ? COMFORTABLE_COLUMNS : undefined),
    ({ minWidth }) => minWidth,
    ({ flexible }) => (flexible === true ? READABLE_COLUMNS : undefined),
  ];
  for (const floor of floors) {
    for (const [index, column] of columns.entries()) {
      const width = widths[index] ?? 0;
      const given = Math.max(0, Math.min(excess, width - (floor(column) ?? width)));
      widths[index] = width - given;
      excess -= given;
    }
  }
  return excess <= 0 ? widths : undefined;
}

function drawGrid(columns: readonly Column[], rows: Rows, widths: readonly number[], { style }: Look): string[] {
  const rule = (left: string, middle: string, right: string) =>
    style.faint(`${left}${widths.map((width) => '─'.repeat(width + 2)).join(middle)}${right}`);
  const edge = style.faint('│');
  const drawLine = (cells: readonly string[], format = (text: string) => text) => {
    const padded = columns.map(({ align }, index) => {
      const text = cells[index] ?? '';
      const padding = ' '.repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(text)));
      return align === 'right' ? `${padding}${format(text)}` : `${format(text)}${padding}`;
    });
    return `${edge} ${padded.join(` ${edge} `)} ${edge}`;
  };
  const drawRow = (row: readonly string[]) => {
    const cells = columns.map(({ maxLines = DEFAULT_MAX_LINES }, index) =>
      wrapAtMost(row[index] ?? '', widths[index] ?? 0, maxLines),
    );
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, at) => drawLine(cells.map((lines) => lines[at] ?? '')));
  };
  const head = drawLine(
    columns.map(({ title }) => title),
    style.strong,
  );
  return [rule('┌', '┬', '┐'), head, rule('├', '┼', '┤'), ...rows.flatMap(drawRow), rule('└', '┴', '┘')];
}

function drawBlocks(columns: readonly Column[], rows: Rows, { style, width }: Look): string[] {
  const drawBlock = (row: readonly string[]) =>
    columns.flatMap(({ title, maxLines = DEFAULT_MAX_LINES }, index) => {
      const [first = '', ...further] = wrapAtMost(`${title}: ${row[index] ?? ''}`, width, maxLines);
      return [first.startsWith(title) ? `${style.strong(title)}${first.slice(title.length)}` : first, ...further];
    });
  return rows.flatMap((row, index) => (index === 0 ? drawBlock(row) : ['', ...drawBlock(row)]));
}
