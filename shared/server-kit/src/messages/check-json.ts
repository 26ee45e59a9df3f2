import { isUtf8 } from 'node:buffer';
import { ContextloomError } from '@contextloom/contracts';

/** Deepest nesting of a JSON text: V8 takes seconds over one that is nothing but brackets. */
const MAX_DEPTH = 256;
/** Most objects and lists in a JSON text: V8 takes half a second over 900,000 `{}`, and what looks at each of them longer. */
const MAX_CONTAINERS = 250_000;
/** Most members and elements together: V8 takes over a second for the eight million that a body has room for. */
const MAX_VALUES = 1_000_000;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = Buffer.from('"\\[]{},');

/** Where the string ends that begins after `from`; the end of the text when it never does. */
function findStringEnd(json: Buffer, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Refuses a JSON text that would be read as something else than was sent, or that takes seconds to parse, before it is parsed.
 * Every entry point does so: a request of any kind, over HTTP or a pipe.
 * @param what how the error calls it, e.g. `body`
 * @throws ContextloomError `malformed` or `too_large`
 */
export function checkJson(json: Buffer, what: string): void {
  // Decoded, every wrong byte would become the same character, and two ids could become one.
  if (!isUtf8(json)) throw new ContextloomError('malformed', `the ${what} is not valid UTF-8`);
  let depth = 0;
  let containers = 0;
  let commas = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = findStringEnd(json, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      containers += 1;
      if (depth > MAX_DEPTH) {
        throw new ContextloomError('malformed', `the ${what} is nested deeper than ${MAX_DEPTH} levels`);
      }
      if (containers > MAX_CONTAINERS) {
        throw new ContextloomError('too_large', `the ${what} must hold at most ${MAX_CONTAINERS} objects and lists`);
      }
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA) {
      commas += 1;
      if (commas >= MAX_VALUES) {
        throw new ContextloomError('too_large', `the ${what} must hold at most ${MAX_VALUES} members and elements`);
      }
    }
  }
}
