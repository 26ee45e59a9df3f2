import type { ChatLine } from './unknown-chat.ts';

/** What documents have and conversations do not, by kind: a mark of one kind alone may well be quoted. */
const MARKS: readonly RegExp[] = [
  /^#{1,6} \S/u,
  /^(?:```|~~~)[\w+-]{0,20}\s*$/u,
  /^\s*\|(?:[^|]{0,200}\|){2,}\s*$/u,
  /^\s*(?:\[!\[|!\[[^\]]{0,100}\]\()/u,
  /^\s*<(?:!DOCTYPE|html|head|body|p|div|h[1-6]|img|a|br|script|table)\b/iu,
  /^(?:from [\w.]{1,80} import |import [\w.]{1,80}\s*;?$|import .{1,80} from ['"]|(?:async )?def \w{1,60}\(|class \w{1,60}[(:{ ]|#include |package [\w.]{1,80};|using [\w.]{1,80};|(?:export )?(?:async )?function \w{0,60}\(|(?:export )?(?:const|let|var) \w{1,60} ?[=:])/u,
  /^\S{0,10}\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}\S{0,10}\s+[[(<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b/u,
];
/** A page, a PDF and a web archive (as QQ writes it) say so in their first line. */
const PAGE = /^\s*(?:<(?:!DOCTYPE html|html|\?xml)\b|%PDF-\d|From: <Saved? by )/iu;

/** Whether the first line of a text tells that it is a page, a PDF or a web archive. */
export const isPage = (line: string): boolean => PAGE.test(line);

const MAX_MARKED = 300;
/** So many marked lines, of so many kinds, make a document. */
const [LINES, KINDS] = [3, 2];

/**
 * Finds the lines that show that a text is a document: a README, a web page, source code.
 * @returns the first lines of two kinds; undefined when most of what begins something are turns
 */
export function findDocument(
  lines: readonly string[],
  isTurn: (line: string) => boolean,
): readonly ChatLine[] | undefined {
  const marked = MARKS.map((): ChatLine[] => []);
  let turns = 0;
  lines.forEach((text, at) => {
    const kind = text.length > MAX_MARKED ? -1 : MARKS.findIndex((mark) => mark.test(text));
    if (kind >= 0) marked[kind]?.push({ line: at + 1, text });
    else if (isTurn(text)) turns += 1;
  });
  const all = marked.flat();
  const page = lines.find((line) => line.trim() !== '') ?? '';
  if (isPage(page)) return [{ line: lines.indexOf(page) + 1, text: page }];
  const kinds = marked.filter((found) => found.length > 0);
  // Source code and logs show themselves by one kind of line.
  const isTechnical = marked.slice(-2).some((found) => found.length >= 2 && 2 * found.length > turns);
  // A list of changes or a manual has headings alone.
  const isHeaded = (marked[0] ?? []).length >= LINES && turns < all.length;
  const isMixed = kinds.length >= KINDS && all.length >= LINES && turns < 2 * all.length;
  if (!isHeaded && !isMixed && !isTechnical) return undefined;
  const firsts = kinds.length > 1 ? kinds.flatMap((found) => found.slice(0, 1)) : all.slice(0, 2);
  return firsts.sort((a, b) => a.line - b.line).slice(0, 2);
}
