import type { CliContext, OutputStream } from '../context.ts';
import { createStyle, hasColors, type Style } from './text/style.ts';

const DEFAULT_COLUMNS = 100;
const MAX_COLUMNS = 120;

/** How wide to write on a stream, in terminal columns: the terminal's width up to 120; 100 where it is not known. */
export function outputWidth({ columns }: OutputStream): number {
  // Some terminals tell a width of 0 before they know it.
  return columns === undefined || columns <= 0 ? DEFAULT_COLUMNS : Math.min(MAX_COLUMNS, columns);
}

/** How tables and headings look on standard output. */
export interface Look {
  readonly style: Style;
  readonly width: number;
}

/** The look of standard output: its width, and colours where it is a terminal. */
export function outputLook(context: CliContext): Look {
  return { style: createStyle(hasColors(context.stdout, context.env)), width: outputWidth(context.stdout) };
}

/** Writes one JSON document, and a line end. */
export function printJson({ stdout }: CliContext, value: unknown): void {
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Writes lines of text. */
export function printLines({ stdout }: CliContext, lines: readonly string[]): void {
  stdout.write(`${lines.join('\n')}\n`);
}
