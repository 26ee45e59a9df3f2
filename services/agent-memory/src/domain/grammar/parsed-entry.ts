import type { ContentType } from '@contextloom/contracts/agent-memory';
import { type Block, skipBlankLines, toPlainLines } from './blocks.ts';
import { type Mark, parseMark } from './mark.ts';

/** An entry of a file, with its places in the text. */
export interface ParsedEntry {
  readonly date: string;
  /** `HH:MM` or `HH:MM:SS`; undefined in MEMORY.md. */
  readonly time: string | undefined;
  readonly contentType: ContentType;
  readonly label: string | undefined;
  /** Without the mark, blank lines around it and a fence that is not part of it; lines end in `\n`. */
  readonly content: string;
  readonly mark: Mark | undefined;
  /** Where all of it begins; in MEMORY.md the heading of the day is not part of it. */
  readonly start: number;
  /** Where its mark is, or belongs. */
  readonly markStart: number;
  /** Where its text begins, after the mark and its line end. */
  readonly bodyStart: number;
  readonly end: number;
  /** Whether it is no entry, but text outside of entries. */
  readonly inText?: true;
}

/** A fence of its own line, and the same again at the end. */
const wholeFence = /^(`{3,})text\n([\s\S]*)\n\1$/;

/** The text of an entry: what stands between mark and end, without blank lines around it. */
export function toContent(body: string, mark: Mark | undefined): string {
  const lines = toPlainLines(body);
  const text = lines.slice(skipBlankLines(lines)).trimEnd();
  return (mark?.isFenced === true && wholeFence.exec(text)?.[2]) || text;
}

/** Reads the mark of an entry's text that begins at a place, with a block or inside of one. */
export function readMark(
  text: string,
  block: Block | undefined,
  from: number,
): Pick<ParsedEntry, 'mark' | 'markStart' | 'bodyStart'> {
  const parsed = block?.kind === 'html' ? parseMark(text.slice(block.start)) : undefined;
  if (block === undefined || parsed === undefined) return { mark: undefined, markStart: from, bodyStart: from };
  const after = block.start + parsed.length;
  const lineEnd = /^(?:\r\n?|\n)/.exec(text.slice(after, after + 2))?.[0] ?? '';
  return { mark: parsed.mark, markStart: block.start, bodyStart: after + lineEnd.length };
}

/** Where the line after the one that ends at a place begins. */
export function toNextLine(text: string, end: number): number {
  return end + (/^[^\r\n]*(?:\r\n?|\n)?/.exec(text.slice(end))?.[0].length ?? 0);
}
