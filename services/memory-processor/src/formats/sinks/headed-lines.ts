import type { FoundTurn, Out, Sink } from '../reader.ts';
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
  /** The words of a message; a kind of what is left out when it has none. */
  readonly toWords: (text: string) => { readonly text: string } | { readonly leftOut: string };
}

/** Reads a chat in which a line with a time and a name begins each turn, and the lines below go on with it. */
export function createHeadedLineSink({ readLine, toWords }: HeadedLines, out: Out): Sink {
  let open: { turn: Omit<FoundTurn, 'text'>; lines: string[] } | undefined;
  let isBelowHead = false;
  const close = (): void => {
    if (open !== undefined) {
      const words = toWords(open.lines.join('\n').trim());
      if ('leftOut' in words) out.leftOut(words.leftOut);
      else out.turn({ ...open.turn, text: words.text });
    }
    open = undefined;
  };
  const take = (found: HeadedLine, number: number): void => {
    if (found.kind === 'nothing') return;
    close();
    isBelowHead = true;
    if (found.kind === 'head') open = { turn: found.turn, lines: [found.text] };
    else if (found.kind === 'left out') out.leftOut(found.what);
    else if (found.kind === 'fault') out.fault(`line ${number}`, found.reason);
    else out.conversation({ title: found.title });
  };
  return createLineSink((line, number) => {
    const found = readLine(number === 1 ? line.replace(/^\uFEFF/u, '') : line, number);
    if (found !== undefined) take(found, number);
    else if (open !== undefined) open.lines.push(line);
    else if (line.trim() !== '') out.leftOut(isBelowHead ? 'line below what is left out' : 'line above the first turn');
  }, close);
}
