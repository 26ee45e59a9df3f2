import { findJsonFault } from './json-syntax.ts';
import { isRecord } from './read.ts';
import type { Sample } from './reader.ts';

/** So much of a text tells its format, in characters. */
export const SAMPLE_LENGTH = 1024 * 1024;

/** `{{user}}: …` and `[19:20] Anna: …` begin with a bracket and are no JSON. */
const LOOKS_LIKE_JSON = /^\s*(?:\{(?!\{)|\[\s*[[{"\]])/u;

/** Whether it is `null`, `5`, `[1, 2]` or a text encoded as JSON; words between plain quotes are words. */
function isBareJson(text: string): boolean {
  if (!/^\s*(?:[-\d["]|null|true|false)/u.test(text)) return false;
  try {
    return typeof JSON.parse(text) !== 'string' || text.includes('\\');
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/**
 * The value of the beginning of a JSON text: what is open where it ends is closed there, without the member under way.
 * Undefined when not even the first member is whole.
 */
export function closeJson(text: string): unknown {
  const open: string[] = [];
  let inString = false;
  let cut: { at: number; closers: string } | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']');
      if (open.length < 6) cut = { at: at + 1, closers: open.toReversed().join('') };
    } else if (char === '}' || char === ']') open.pop();
    else if (char === ',' && open.length < 12) cut = { at, closers: open.toReversed().join('') };
  }
  if (cut === undefined) return undefined;
  try {
    return JSON.parse(text.slice(0, cut.at) + cut.closers);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parseOrClose(text: string, isWhole: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // A damaged text counts as JSON all the same: whoever reads it says where it breaks.
    return closeJson(text) ?? (isWhole ? {} : undefined);
  }
}

/** The objects of the first lines, when the text is JSON Lines. */
function toJsonLines(lines: readonly string[], isWhole: boolean): Sample['jsonLines'] {
  const filled = (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== '').slice(0, 50);
  const [first] = filled;
  if (first === undefined || !first.trimStart().startsWith('{') || findJsonFault(first) !== undefined) return undefined;
  return filled.flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? [value] : [];
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

/** Makes the sample that formats are told by, of the beginning of a text. */
export function toSample(beginning: string, file: string, isWhole: boolean): Sample {
  const text = beginning.replace(/^\uFEFF/u, '').slice(0, SAMPLE_LENGTH);
  const lines = text.split(/\r\n|\r|\n/u);
  const isJson = LOOKS_LIKE_JSON.test(text) || (isWhole && isBareJson(text));
  const value = isJson ? parseOrClose(text, isWhole) : undefined;
  const isOne = isJson && isWhole && findJsonFault(text) === undefined;
  const jsonLines = isJson && !isOne ? toJsonLines(lines, isWhole) : undefined;
  return { file, text, lines, json: isJson ? (value ?? null) : undefined, jsonLines };
}
