import { ContextloomError } from '@contextloom/contracts';
import { isMap, isNode, isScalar, parseDocument } from 'yaml';
import { parseBlocks, toLineEnd } from '../grammar/blocks.ts';

/** The YAML front matter of a file, and where its text stands. */
export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly start: number;
  readonly end: number;
}

function toFrontMatter(text: string, path: string, start: number, end: number): FrontMatter | undefined {
  const document = parseDocument(text.slice(start, end));
  if (document.errors.length > 0) {
    throw new ContextloomError('invalid', `${path} front matter is not valid YAML`, {
      field: path,
      cause: document.errors[0],
    });
  }
  if (!isMap(document.contents)) return undefined;
  return { values: document.toJS() as Record<string, unknown>, start, end };
}

/**
 * Reads the front matter of a file; undefined when it has none.
 * @throws ContextloomError `invalid`, naming the file, for front matter that is not YAML
 */
export function parseFrontMatter(text: string, path: string): FrontMatter | undefined {
  const [first] = parseBlocks(text);
  if (first?.kind !== 'yaml') return undefined;
  const source = text.slice(first.start, first.end);
  const start = first.start + (/^---[ \t]*(?:\r\n?|\n)/.exec(source)?.[0].length ?? 0);
  const end = first.end - (/---[ \t]*$/.exec(source)?.[0].length ?? 0);
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
