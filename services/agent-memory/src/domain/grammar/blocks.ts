import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { frontmatter } from 'micromark-extension-frontmatter';

/** What stands at the top level of a Markdown text, by its place in it (UTF-16 code units). */
export interface Block {
  readonly kind: 'heading' | 'html' | 'code' | 'list' | 'paragraph' | 'yaml' | 'other';
  /** Of a heading, 1 to 6; 0 for other blocks. */
  readonly depth: number;
  readonly start: number;
  readonly end: number;
  /** The title of a heading, as written. */
  readonly title: string;
}

/** Only the order of blocks is wanted: emphasis, links and references cost time and change nothing. */
const blocksOnly = {
  disable: {
    null: [
      ...['attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'definition'],
      ...['hardBreakEscape', 'htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink'],
    ],
  },
};
const kinds: ReadonlySet<string> = new Set(['heading', 'html', 'code', 'list', 'paragraph', 'yaml']);
/** More than three spaces, or a tab, begin an indented code block, which begins at its line. */
const MAX_INDENT = 3;
const BYTE_ORDER_MARK = '\uFEFF';

/** Reads the blocks of a text with CommonMark's own rules, so that a heading inside a code fence is no heading. */
export function parseBlocks(text: string): readonly Block[] {
  const skipped = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const tree = fromMarkdown(text.slice(skipped), {
    extensions: [frontmatter(['yaml']), blocksOnly],
    mdastExtensions: [frontmatterFromMarkdown(['yaml'])],
  });
  return tree.children.map(({ type, position, ...node }) => {
    const start = toLineStart(text, (position?.start.offset ?? 0) + skipped);
    const end = (position?.end.offset ?? 0) + skipped;
    const isHeading = 'depth' in node;
    return {
      kind: (kinds.has(type) ? type : 'other') as Block['kind'],
      depth: isHeading ? Number(node.depth) : 0,
      start,
      end,
      title: isHeading ? toTitle(text.slice(start, end)) : '',
    };
  });
}

/** Where the line begins, since blocks leave out what they are indented by: what is put before one must not stand within it. */
function toLineStart(text: string, start: number): number {
  return start - (/[ \t]*$/.exec(text.slice(Math.max(0, start - MAX_INDENT), start))?.[0].length ?? 0);
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
  const from = blocks.indexOf(heading) + 1;
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
