import type { CliContext, OutputStream } from '../context.ts';
import { createStyle, hasColors, type Style } from './style.ts';

const DEFAULT_COLUMNS = 100;
const MIN_COLUMNS = 60;
const MAX_COLUMNS = 120;

/** How wide to write on a stream, in terminal columns: the terminal's width within 60 and 120, else 100. */
export function outputWidth(stream: OutputStream): number {
  return Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, stream.columns ?? DEFAULT_COLUMNS));
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
