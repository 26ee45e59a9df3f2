import type { Piece } from './budget.ts';

/** The depth of a line that is not a heading, below every heading. */
const TEXT = 7;
const toDepth = (line: string): number => /^(#{1,6})\s/.exec(line)?.[1]?.length ?? TEXT;

/** Whether a line is an item that ends with its only colon. */
function isKeyAlone(line: string): boolean {
  const key = /^[-*+]\s+/.test(line.trimStart()) ? line.trim().slice(1).trimStart() : '';
  return key.length > 1 && key.search(/[：:]/) === key.length - 1;
}

/** Lines without the headings that have no text under them. */
function withoutEmptySections(lines: readonly string[]): readonly string[] {
  const hasText = new Map<number, boolean>();
  const kept: string[] = [];
  for (const line of lines.toReversed()) {
    const depth = toDepth(line);
    if (depth === TEXT || hasText.get(depth) === true) kept.push(line);
    for (let other = 1; other < TEXT; other += 1) {
      if (depth === TEXT) hasText.set(other, true);
      else if (other >= depth) hasText.set(other, false);
    }
  }
  return kept.reverse();
}

/** The lines of a file that say something: comments are for programs, and what is not filled in yet is for the person. */
export function toFileLines(text: string): readonly Piece[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '' && !/^\s*<!--.*-->\s*$/.test(line));
  // A key without a value, unless the value is a list under it.
  const isUnfilled = (line: string, at: number): boolean => isKeyAlone(line) && !/^\s/.test(lines[at + 1] ?? '');
  const kept = withoutEmptySections(lines.filter((line, at) => !isUnfilled(line, at)));
  let title = '';
  return kept.map((line) => {
    if (toDepth(line) === TEXT) return { text: line, line: `${title}${line.replace(/^\s*[-*+]\s+/, '')}` };
    title = toDepth(line) === 1 ? '' : `${line.replace(/^#+\s+/, '')}: `;
    return { text: line };
  });
}
