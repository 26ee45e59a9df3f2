const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Characters that a terminal draws two columns wide: Unicode's East Asian Wide and Fullwidth blocks, and emoji. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}])/u;

const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;

/** Where a line may break: after a space, a hyphen, or any wide character (Chinese has no spaces). */
const BREAKS_AFTER = /[\s-]$/u;

/** Closing marks that must not begin a line. */
const CLINGS = /^[，。！？；：、”’」』）》…,.!?;:)\]]/u;

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), (part) => part.segment);
}

/** How many terminal columns a line of text takes; Chinese characters and emoji take two. */
export function displayWidth(line: string): number {
  return splitGraphemes(line).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** Cuts a line to at most `columns` terminal columns; a cut line ends in "…". */
export function shorten(line: string, columns: number): string {
  if (displayWidth(line) <= columns) return line;
  let kept = '';
  let width = 1;
  for (const grapheme of splitGraphemes(line)) {
    width += graphemeWidth(grapheme);
    if (width > columns) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
}

/** The pieces of a line that stay together: words with their space, single wide characters with the marks that cling to them. */
function unbreakablePieces(line: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const grapheme of splitGraphemes(line)) {
    const startsAnother =
      piece !== '' && !CLINGS.test(grapheme) && (BREAKS_AFTER.test(piece) || WIDE.test(grapheme) || endsWide(piece));
    if (startsAnother && grapheme.trim() !== '') {
      pieces.push(piece);
      piece = '';
    }
    piece += grapheme;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

function endsWide(piece: string): boolean {
  const last = splitGraphemes(piece).at(-1);
  return last !== undefined && graphemeWidth(last) === 2;
}

/** Splits a piece that is longer than a whole line, such as an address, wherever the line is full. */
function chop(piece: string, columns: number): string[] {
  const parts: string[] = [];
  let part = '';
  for (const grapheme of splitGraphemes(piece)) {
    if (part !== '' && displayWidth(part) + graphemeWidth(grapheme) > columns) {
      parts.push(part);
      part = '';
    }
    part += grapheme;
  }
  return [...parts, part];
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const piece of unbreakablePieces(line)) {
    if (displayWidth((current + piece).trimEnd()) <= columns) {
      current += piece;
      continue;
    }
    if (current.trim() !== '') lines.push(current.trimEnd());
    const parts = chop(piece, columns);
    lines.push(...parts.slice(0, -1));
    current = parts.at(-1) ?? '';
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

/** Ends a line with "…" within `columns`, between words where it can. */
function endWithEllipsis(line: string, columns: number): string {
  const pieces = unbreakablePieces(line);
  while (pieces.length > 1 && displayWidth(pieces.join('').trimEnd()) >= columns) pieces.pop();
  return shorten(`${pieces.join('').replace(/[\s…]+$/u, '')}…`, columns);
}

/** Wraps text and keeps the first `maxLines` lines; what is left out shows as "…". */
export function wrapAtMost(text: string, columns: number, maxLines: number): string[] {
  const lines = wrap(text, columns);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), endWithEllipsis(lines[maxLines - 1] ?? '', columns)];
}
