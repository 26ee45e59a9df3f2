import { stripVTControlCharacters } from 'node:util';
import { Rules } from '@cto.af/linebreak';
import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const lineBreaks = new Rules({ string: true });

/** UTF-16 units segmented at once: V8 copies the whole input for every segment, so a long text costs its square. */
const BLOCK_UNITS = 256;

/** The graphemes of a text, in time linear in its length; one of more than a block is split. */
function* splitGraphemes(text: string): Generator<string> {
  let carried = '';
  for (let at = 0; at < text.length; at += BLOCK_UNITS) {
    const parts = Array.from(segmenter.segment(carried + text.slice(at, at + BLOCK_UNITS)), (part) => part.segment);
    // The last one may go on in the next block.
    const last = parts.pop() ?? '';
    yield* parts;
    carried = last.length > BLOCK_UNITS ? '' : last;
    if (carried === '') yield last;
  }
  if (carried !== '') yield carried;
}

const ASCII = /^[ -~]*$/;
/** Characters that each take two columns, alone; of all others the library knows. */
const WIDE = /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]$/;

/** How many columns a grapheme takes. The library tries ten expressions on each, which long Chinese texts feel. */
function graphemeWidth(grapheme: string): number {
  if (grapheme.length > 1) return stringWidth(grapheme);
  return ASCII.test(grapheme) ? 1 : WIDE.test(grapheme) ? 2 : stringWidth(grapheme);
}

/** How many terminal columns a line of text takes; Chinese characters and emoji take two. */
export function displayWidth(line: string): number {
  if (ASCII.test(line)) return line.length;
  let width = 0;
  for (const grapheme of splitGraphemes(line)) width += graphemeWidth(grapheme);
  return width;
}

/** The longest beginning of a line that takes at most `columns` terminal columns; reads no further than that. */
export function cutToWidth(line: string, columns: number): string {
  let kept = '';
  let width = 0;
  for (const grapheme of splitGraphemes(line)) {
    width += graphemeWidth(grapheme);
    if (width > columns) break;
    kept += grapheme;
  }
  return kept;
}

/** Cuts a line to at most `columns` terminal columns; a cut line ends in "…". */
export function shorten(line: string, columns: number): string {
  if (cutToWidth(line, columns) === line) return line;
  return `${cutToWidth(line, columns - 1).trimEnd()}…`;
}

/** The parts of a line that stay together, by Unicode's line breaking rules (UAX #14). */
function unbreakableParts(line: string): string[] {
  return Array.from(lineBreaks.breaks(line), (part) => part.string ?? '');
}

/** Splits what is longer than a whole line, such as an address, wherever the line is full. */
function chop(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const grapheme of splitGraphemes(text)) {
    const added = graphemeWidth(grapheme);
    if (line !== '' && width + added > columns) {
      lines.push(line);
      line = '';
      width = 0;
    }
    line += grapheme;
    width += added;
  }
  return [...lines, line];
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const part of unbreakableParts(line)) {
    if (width + displayWidth(part.trimEnd()) > columns) {
      if (current.trim() !== '') lines.push(current.trimEnd());
      const chopped = chop(part.trimEnd(), columns);
      lines.push(...chopped.slice(0, -1));
      current = `${chopped.at(-1) ?? ''}${part.slice(part.trimEnd().length)}`;
      width = displayWidth(current);
    } else {
      current += part;
      width += displayWidth(part);
    }
  }
  return [...lines, current.trimEnd()];
}

/** Breaks text into lines of at most `columns` terminal columns, at spaces and between Chinese characters. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, columns));
}

/** Like {@link wrap}, but the further lines of a list item or an indented line start under its first word. */
export function wrapIndented(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const [mark = ''] = /^\s*(?:- )?/u.exec(line) ?? [];
    const [first = '', ...further] = wrapLine(line.slice(mark.length), columns - mark.length);
    return [`${mark}${first}`.trimEnd(), ...further.map((one) => ' '.repeat(mark.length) + one)];
  });
}

/**
 * Breaks one line, which may hold colour codes, at spaces alone: what has none, such as an id, stays whole even where it is
 * longer than a line. Further lines begin with `indent`.
 */
export function wrapAtSpaces(line: string, columns: number, indent = ''): string[] {
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const word of line.split(' ')) {
    const added = displayWidth(stripVTControlCharacters(word));
    if (current.trim() !== '' && width + added > columns) {
      lines.push(current.trimEnd());
      current = indent;
      width = indent.length;
    }
    current += `${word} `;
    width += added + 1;
  }
  return [...lines, current.trimEnd()];
}

/** Ends a line with "…" within `columns`, between words where it can. */
function endWithEllipsis(line: string, columns: number): string {
  const parts = unbreakableParts(line);
  while (parts.length > 1 && displayWidth(parts.join('').trimEnd()) >= columns) parts.pop();
  return shorten(`${parts.join('').replace(/[\s…]+$/u, '')}…`, columns);
}

/** Wraps text and keeps the first `maxLines` lines, reading no more than fills them; what is left out shows as "…". */
export function wrapAtMost(text: string, columns: number, maxLines: number): string[] {
  const beginning = cutToWidth(text, (maxLines + 1) * (columns + 1));
  const lines = wrap(beginning, columns);
  if (lines.length <= maxLines && beginning.length === text.length) return lines;
  const last = Math.min(lines.length, maxLines) - 1;
  return [...lines.slice(0, last), endWithEllipsis(lines[last] ?? '', columns)];
}
