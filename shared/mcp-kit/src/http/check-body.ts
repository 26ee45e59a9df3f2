import { isUtf8 } from 'node:buffer';
import { ContextloomError } from '@contextloom/contracts';

/** Deepest nesting of a JSON body: V8 takes seconds over a body that is nothing but brackets. */
const MAX_BODY_DEPTH = 256;
/** Most objects and lists in a JSON body: V8 takes seconds over five million `{}`. */
const MAX_BODY_CONTAINERS = 1_000_000;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/** Where the string ends that begins after `from`; the end of the body when it never does. */
function findStringEnd(body: Buffer, from: number): number {
  let at = from + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Refuses a JSON body that would be read as something else than was sent, or that takes seconds to parse, before it is parsed.
 * @throws ContextloomError `malformed`, `unsupported_media_type` or `too_large`
 */
export function checkJsonBody(body: Buffer, charset: string): void {
  if (charset !== 'utf-8') throw new ContextloomError('unsupported_media_type', 'the charset must be UTF-8');
  // Decoded, every wrong byte would become the same character, and two ids could become one.
  if (!isUtf8(body)) throw new ContextloomError('malformed', 'the body is not valid UTF-8');
  let depth = 0;
  let containers = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = findStringEnd(body, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      containers += 1;
      if (depth > MAX_BODY_DEPTH) {
        throw new ContextloomError('malformed', `the body is nested deeper than ${MAX_BODY_DEPTH} levels`);
      }
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  if (containers > MAX_BODY_CONTAINERS) {
    throw new ContextloomError('too_large', `the body must hold at most ${MAX_BODY_CONTAINERS} objects and lists`);
  }
}
