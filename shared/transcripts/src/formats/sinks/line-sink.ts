import type { Sink } from '../reader.ts';
import { unreadable } from '../unreadable.ts';

/** The longest line that is read, in characters: a longer one is no line of a chat. */
const MAX_LINE = 8 * 1024 * 1024;

/** Cuts a text that comes in pieces into lines, whatever ends them; `onLine` gets each with its number from 1. */
export function createLineSink(
  onLine: (line: string, number: number) => void,
  onEnd: (() => void) | undefined = undefined,
): Sink {
  let rest: string[] = [];
  let restLength = 0;
  let number = 0;
  let endsInReturn = false;
  const flush = (last: string): void => {
    number += 1;
    const line = rest.length === 0 ? last : rest.join('') + last;
    rest = [];
    restLength = 0;
    onLine(line, number);
  };
  return {
    write: (text) => {
      const piece = endsInReturn && text.startsWith('\n') ? text.slice(1) : text;
      if (text !== '') endsInReturn = text.endsWith('\r');
      const lines = piece.split(/\r\n|\r|\n/u);
      const last = lines.pop() ?? '';
      for (const line of lines) flush(line);
      if (last === '') return;
      rest.push(last);
      restLength += last.length;
      if (restLength > MAX_LINE) throw unreadable(`line ${number + 1} is longer than ${MAX_LINE / 1024 / 1024} MB`);
    },
    end: () => {
      if (rest.length > 0) flush('');
      onEnd?.();
    },
  };
}
