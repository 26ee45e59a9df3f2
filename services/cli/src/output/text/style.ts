import { styleText } from 'node:util';
import type { CliContext, OutputStream } from '../../context.ts';

/** The few ways in which output is set off; each is the identity where colours are off. */
export interface Style {
  readonly colors: boolean;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly accent: (text: string) => string;
}

type Format = Parameters<typeof styleText>[0];

/** Whether a stream shows colours: a terminal that is not "dumb", without NO_COLOR (https://no-color.org). */
export function hasColors(stream: OutputStream, env: CliContext['env']): boolean {
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

/** Builds the style for a stream. */
export function createStyle(colors: boolean): Style {
  const format = (name: Format) => (text: string) => (colors ? styleText(name, text, { validateStream: false }) : text);
  return {
    colors,
    strong: format('bold'),
    faint: format('gray'),
    good: format('green'),
    bad: format('red'),
    accent: format('cyan'),
  };
}
