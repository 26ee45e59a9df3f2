import MarkdownIt, { type StateBlock } from 'markdown-it';

/** What stands at the top level of a Markdown text, by its place in it (UTF-16 code units). */
export interface Block {
  readonly kind: 'heading' | 'html' | 'code' | 'list' | 'paragraph' | 'yaml' | 'other';
  /** Of a heading, 1 to 6; 0 for other blocks. */
  readonly depth: number;
  readonly start: number;
  readonly end: number;
  /** Its place among the blocks. */
  readonly at: number;
  /** The title of a heading, as written. */
  readonly title: string;
}

/**
 * CommonMark's blocks alone: emphasis, links and references cost time and change nothing. What is nested deeper than anybody
 * writes is left out, so that the time stays linear in the length of a text.
 */
const markdown = new MarkdownIt('commonmark', { maxNesting: 32 });
markdown.core.ruler.enableOnly(['normalize', 'block']);
markdown.block.ruler.disable('reference');
markdown.block.ruler.at('blockquote', quote, { alt: ['paragraph', 'blockquote', 'list'] });

/**
 * A quotation as one block, whose inside is not parsed. The parser's own rule looks through all lines to the end of the text
 * at each quotation that an underlined heading follows, so that its time grows with the square of the length.
 */
function quote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!isQuoted(state, startLine)) return false;
  if (silent) return true;
  let last = startLine;
  let next = startLine + 1;
  while (next < endLine && !state.isEmpty(next) && (state.sCount[next] ?? 0) >= state.blkIndent) {
    if (isQuoted(state, next)) last = next;
    else if (!leavesParagraph(state, last) || isEnded(state, next, endLine)) break;
    next += 1;
  }
  state.push('blockquote_open', 'blockquote', 1).map = [startLine, next];
  state.push('blockquote_close', 'blockquote', -1);
  state.line = next;
  return true;
}

const toContent = ({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string =>
  src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);

function isQuoted(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) - state.blkIndent < 4 && toContent(state, line).startsWith('>');
}

/** Whether a quoted line leaves a paragraph open, which the next line may go on with although it is not quoted. */
function leavesParagraph(state: StateBlock, line: number): boolean {
  const words = toContent(state, line).replace(/^[> \t]+/, '');
  return words !== '' && !/^(?:#{1,6}(?:[ \t]|$)|```|~~~)/.test(words) && !/^[-*_ \t]+$/.test(words);
}

function isEnded(state: StateBlock, line: number, endLine: number): boolean {
  return state.md.block.ruler.getRules('blockquote').some((rule) => rule(state, line, endLine, true));
}

const kinds: Readonly<Record<string, Block['kind']>> = {
  heading_open: 'heading',
  html_block: 'html',
  fence: 'code',
  code_block: 'code',
  bullet_list_open: 'list',
  ordered_list_open: 'list',
  paragraph_open: 'paragraph',
};
const BYTE_ORDER_MARK = '\uFEFF';

/** Where a line begins and ends (UTF-16 code units), without its line end. */
interface Line {
  readonly start: number;
  readonly end: number;
}

function toLines(text: string, from: number): readonly Line[] {
  const lines: Line[] = [];
  let start = from;
  for (const { 0: lineEnd, index } of text.slice(from).matchAll(/\r\n?|\n/g)) {
    lines.push({ start, end: from + index });
    start = from + index + lineEnd.length;
  }
  return [...lines, { start, end: text.length }];
}

/** How many lines the YAML front matter of a text has; 0 for none. */
function countFrontMatter(text: string, lines: readonly Line[]): number {
  const isFence = ({ start, end }: Line): boolean =>
    text.startsWith('---', start) && text.slice(start + 3, end).trim() === '';
  if (lines[0] === undefined || !isFence(lines[0])) return 0;
  return lines.findIndex((line, at) => at > 0 && isFence(line)) + 1;
}

/** Reads the blocks of a text with CommonMark's own rules, so that a heading inside a code fence is text. */
export function parseBlocks(text: string): readonly Block[] {
  const lines = toLines(text, text.startsWith(BYTE_ORDER_MARK) ? 1 : 0);
  const front = countFrontMatter(text, lines);
  const toPlace = (from: number, to: number) => ({
    start: lines[from]?.start ?? text.length,
    end: lines[to]?.end ?? text.length,
  });
  const blocks: Block[] = front === 0 ? [] : [{ kind: 'yaml', depth: 0, at: 0, title: '', ...toPlace(0, front - 1) }];
  for (const { type, tag, level, nesting, map } of markdown.parse(text.slice(lines[front]?.start ?? text.length), {})) {
    if (level !== 0 || nesting === -1 || map === null) continue;
    const place = toPlace(front + map[0], front + map[1] - 1);
    const kind = kinds[type] ?? 'other';
    const isHeading = kind === 'heading';
    const title = isHeading ? toTitle(text.slice(place.start, place.end)) : '';
    blocks.push({ kind, depth: isHeading ? Number(tag.slice(1)) : 0, at: blocks.length, title, ...place });
  }
  return blocks;
}

/** The text of a heading, of either form: `## Title ##`, or underlined. */
function toTitle(source: string): string {
  const [first = ''] = source.split(/\r\n?|\n/, 1);
  return first
    .replace(/^ {0,3}#{1,6}(?=[ \t]|$)/, '')
    .replace(/(?:^|[ \t])#+[ \t]*$/, '')
    .trim();
}

/** The blocks under a heading, and where they end: at the next heading of its depth or above. */
export function toSection(
  blocks: readonly Block[],
  heading: Block,
  text: string,
): { readonly inside: readonly Block[]; readonly end: number } {
  const from = heading.at + 1;
  let to = from;
  const isInside = ({ kind, depth }: Block): boolean => kind !== 'heading' || depth > heading.depth;
  for (let next = blocks[to]; next !== undefined && isInside(next); next = blocks[to]) to += 1;
  return { inside: blocks.slice(from, to), end: blocks[to]?.start ?? text.length };
}

/** The line ends that a text uses first; `\n` when it has one line. */
export function toLineEnd(text: string): string {
  return /\r\n?|\n/.exec(text)?.[0] ?? '\n';
}

/** A text with `\n` as its line ends. */
export function toPlainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Where the first line of a text begins that is not blank; at its end when all are. */
export function skipBlankLines(text: string): number {
  const blank = text.slice(0, text.length - text.trimStart().length);
  return blank.length === text.length ? text.length : Math.max(blank.lastIndexOf('\n'), blank.lastIndexOf('\r')) + 1;
}
