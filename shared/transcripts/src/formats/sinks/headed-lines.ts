import type { FoundTurn, Out, Sink } from '../reader.ts';
import { putWords, type Words } from '../words.ts';
import { createLineSink } from './line-sink.ts';

/** What a line is in a chat whose turns begin with a head. */
export type HeadedLine =
  /** A turn begins; what stands in the same line is its first. */
  | { readonly kind: 'head'; readonly turn: Omit<FoundTurn, 'text'>; readonly text: string }
  /** A line of the program, with nothing of anybody below it. */
  | { readonly kind: 'left out'; readonly what: string }
  /** A head that cannot be read: what stands below it is nobody's. */
  | { readonly kind: 'fault'; readonly reason: string }
  /** Another conversation begins. */
  | { readonly kind: 'conversation'; readonly title: string }
  /** A line that says nothing, such as a rule. */
  | { readonly kind: 'nothing' };

/** How a chat of headed turns is read. */
export interface HeadedLines {
  /** What a line is; undefined when it goes on with the turn above. */
  readonly readLine: (line: string, number: number) => HeadedLine | undefined;
  readonly toWords: (text: string) => Words;
}

/** Reads a chat in which a line with a time and a name begins each turn, and the lines below go on with it. */
export function createHeadedLineSink({ readLine, toWords }: HeadedLines, out: Out): Sink {
  let open: { turn: Omit<FoundTurn, 'text'>; lines: string[]; at: string } | undefined;
  let isBelowHead = false;
  const close = (): void => {
    if (open !== undefined) putWords(toWords(open.lines.join('\n').trim()), open.turn, open.at, out);
    open = undefined;
  };
  const take = (found: HeadedLine, line: string, number: number): void => {
    const at = `line ${number}`;
    if (found.kind === 'nothing') return;
    close();
    isBelowHead = true;
    if (found.kind === 'head') open = { turn: found.turn, lines: [found.text], at };
    else if (found.kind === 'left out') out.leftOut(found.what, at, line);
    else if (found.kind === 'fault') out.fault(at, found.reason);
    else out.conversation({ title: found.title });
  };
  return createLineSink((line, number) => {
    const found = readLine(number === 1 ? line.replace(/^\uFEFF/u, '') : line, number);
    if (found !== undefined) take(found, line, number);
    else if (open !== undefined) open.lines.push(line);
    else if (line.trim() !== '')
      out.leftOut(isBelowHead ? 'line below what is left out' : 'line above the first turn', `line ${number}`, line);
  }, close);
}
