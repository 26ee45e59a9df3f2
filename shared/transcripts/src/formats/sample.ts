import { isRecord } from './read.ts';
import type { Sample } from './reader.ts';

/** So much of a text tells its format, in characters. */
export const SAMPLE_LENGTH = 1024 * 1024;

/** So many lines tell it: what has only short ones would be looked through for seconds. */
const SAMPLE_LINES = 20_000;

/** `{{user}}: …` and `[19:20] Anna: …` begin with a bracket and are no JSON. */
const LOOKS_LIKE_JSON = /^\s*(?:\{(?!\{)|\[\s*[[{"\]])/u;

/** The value of a JSON text; undefined when it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether it is `null`, `5`, `[1, 2]` or a text encoded as JSON; words between plain quotes are words. */
function isBareJson(text: string): boolean {
  if (!/^\s*(?:[-\d["]|null|true|false)/u.test(text)) return false;
  const value = parseJson(text);
  return value !== undefined && (typeof value !== 'string' || text.includes('\\'));
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
  return cut === undefined ? undefined : parseJson(text.slice(0, cut.at) + cut.closers);
}

/** The objects of the first lines, when the text is JSON Lines. */
function toJsonLines(lines: readonly string[], isWhole: boolean): Sample['jsonLines'] {
  const filled = (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== '').slice(0, 50);
  const [first] = filled;
  if (first === undefined || !isRecord(parseJson(first))) return undefined;
  return filled.map(parseJson).filter(isRecord);
}

/** Makes the sample from which formats are recognised, of the beginning of a text. */
export function toSample(beginning: string, file: string, isWhole: boolean): Sample {
  const text = beginning.replace(/^\uFEFF/u, '').slice(0, SAMPLE_LENGTH);
  const all = text.split(/\r\n|\r|\n/u);
  const lines = all.length > SAMPLE_LINES ? all.slice(0, SAMPLE_LINES) : all;
  const isJson = LOOKS_LIKE_JSON.test(text) || (isWhole && isBareJson(text));
  if (!isJson) return { file, text, lines, json: undefined, jsonLines: undefined };
  const whole = parseJson(text);
  const isOne = isWhole && whole !== undefined;
  const jsonLines = isOne ? undefined : toJsonLines(lines, isWhole || all.length > SAMPLE_LINES);
  // A damaged text counts as JSON all the same: its reader says where it breaks.
  const json = whole === undefined ? (closeJson(text) ?? (isWhole ? {} : null)) : whole;
  return { file, text, lines, json, jsonLines };
}
