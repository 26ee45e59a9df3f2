import { JSONParser, TokenizerError, TokenParserError } from '@streamparser/json';
import type { Sink } from '../reader.ts';
import { unreadable } from '../unreadable.ts';

/** A value that was found in a JSON text, and its place. */
export interface FoundValue {
  readonly value: unknown;
  /** The keys from the root to the value: `['messages', 3]`. */
  readonly path: readonly (string | number)[];
}

type Key = string | number | undefined;

function toPath(stack: readonly { readonly key?: Key }[], last: Key): readonly (string | number)[] {
  const keys = [...stack.slice(1).map(({ key }) => key), last];
  return keys.flatMap((one) => (one === undefined ? [] : [one]));
}

/**
 * Reads a JSON text that comes in pieces, and hands on the values at some paths without keeping the whole.
 * @param paths such as `$.messages.*`, in which `*` stands for any key
 * @throws ContextloomError `invalid` naming the line where the text stops being JSON
 */
export function createJsonSink(
  paths: readonly string[],
  onValue: (found: FoundValue) => void,
  onEnd: (() => void) | undefined = undefined,
): Sink {
  const parser = new JSONParser({ paths: [...paths], keepStack: false, stringBufferSize: 0 });
  let line = 1;
  let failure: unknown;
  let isEnded = false;
  parser.onValue = ({ value, stack, key }) => onValue({ value, path: toPath(stack, key) });
  parser.onError = (error) => {
    failure ??= error;
  };
  parser.onEnd = () => {
    isEnded = true;
  };
  const guard = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      failure ??= error;
    }
    if (failure !== undefined) throw asUnreadable(failure, line);
  };
  return {
    write: (text) => {
      if (isEnded) {
        if (text.trim() !== '') throw unreadable(`line ${line} goes on after the end of the JSON`);
        return;
      }
      guard(() => parser.write(text));
      line += text.split('\n').length - 1;
    },
    end: () => {
      if (!isEnded) throw unreadable(`the JSON ends in its middle, in line ${line}`);
      onEnd?.();
    },
  };
}

function asUnreadable(error: unknown, line: number): unknown {
  if (error instanceof TokenizerError || error instanceof TokenParserError) {
    return unreadable(`it stops being JSON near line ${line}`, error);
  }
  return error;
}
