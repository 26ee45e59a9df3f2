import {
  ContextloomError,
  findFrontMatterTrap,
  isContextloomError,
  MAX_FRONT_MATTER_ALIASES,
} from '@contextloom/contracts';
import { isMap, isNode, isScalar, parseDocument } from 'yaml';
import { parseBlocks, toLineEnd } from '../grammar/blocks.ts';
import { toNextLine } from '../grammar/parsed-entry.ts';

/** The YAML front matter of a file, and where its text stands. */
export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly start: number;
  readonly end: number;
}

function toUnreadableError(path: string, problem: string, cause?: unknown): ContextloomError {
  return new ContextloomError('invalid', `${path} front matter ${problem}`, { field: path, cause });
}

function toFrontMatter(text: string, path: string, start: number, end: number): FrontMatter | undefined {
  const source = text.slice(start, end);
  const trap = findFrontMatterTrap(source);
  if (trap !== undefined) throw toUnreadableError(path, trap);
  try {
    const document = parseDocument(source);
    if (document.errors.length > 0) throw toUnreadableError(path, 'is not valid YAML', document.errors[0]);
    if (!isMap(document.contents)) return undefined;
    return {
      values: document.toJS({ maxAliasCount: MAX_FRONT_MATTER_ALIASES }) as Record<string, unknown>,
      start,
      end,
    };
  } catch (error) {
    if (isContextloomError(error)) throw error;
    throw toUnreadableError(path, 'has too many aliases', error); // The parser's own kind of error for them.
  }
}

/**
 * Reads the front matter of a file; undefined when it has none.
 * @throws ContextloomError `invalid`, naming the file, for front matter that is not YAML
 */
export function parseFrontMatter(text: string, path: string): FrontMatter | undefined {
  const [first] = parseBlocks(text);
  if (first?.kind !== 'yaml') return undefined;
  const start = toNextLine(text, first.start);
  const end = text.lastIndexOf('---', first.end);
  return toFrontMatter(text, path, start, Math.max(start, end));
}

/** Writes one value of the front matter in the place of the one that is there; every other byte stays. */
export function writeFrontMatterValue(
  text: string,
  path: string,
  key: string,
  value: string | readonly string[],
): string {
  const front = parseFrontMatter(text, path);
  if (front === undefined) return text;
  const contents = parseDocument(text.slice(front.start, front.end)).contents;
  const pair = isMap(contents) ? contents.items.find((one) => isScalar(one.key) && one.key.value === key) : undefined;
  const range = pair !== undefined && isNode(pair.value) ? pair.value.range : undefined;
  if (range === undefined || range === null) return text;
  const [from, to] = [front.start + range[0], front.start + range[1]];
  const old = text.slice(from, to);
  // JSON is YAML too. What a block ends with, a line end, stays its end.
  const lineEnd = /[\r\n]$/.test(old) ? toLineEnd(text) : '';
  const written = `${text.slice(0, from)}${JSON.stringify(value)}${lineEnd}${text.slice(to)}`;
  const read = parseFrontMatter(written, path)?.values;
  if (JSON.stringify(read) === JSON.stringify({ ...front.values, [key]: value })) return written;
  throw new ContextloomError(
    'conflict',
    `${key} stands in the front matter of ${path} in a form that only a person can change: edit the file`,
    {
      field: key,
    },
  );
}
