import { cjkCharacter } from '../text/chinese/cjk-character.ts';
import { splitSentences } from '../text/split-sentences.ts';
import { type Block, splitBlocks } from './markdown-blocks.ts';

/** A part of a text that can be read by itself, as its place in the text. */
export interface TextPassage {
  readonly from: number;
  readonly to: number;
  /** The head of the table that it is rows of, where it does not begin with that. */
  readonly head?: { readonly from: number; readonly to: number };
}

/**
 * The size of a passage in Latin letters, of which a CJK character counts as three: it is cut when it has more than `most`, into
 * parts of at most `part`, and one below `least` goes with the next, as a heading does.
 */
const SIZES = { most: 600, part: 400, least: 60 } as const;

const cjk = new RegExp(cjkCharacter, 'gv');
const announces = /[:：]$/u;
const tableRow = /^\s*\|/u;
const tableRule = /^[\s:|-]+$/u;

const toSize = (text: string): number => text.length + 2 * (text.match(cjk)?.length ?? 0);

/** A part of a text before passages are made of it. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly head?: TextPassage['head'];
}

/** Puts pieces together that follow each other, as long as they are not too large. */
function joinPieces(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && last.size + piece.size <= SIZES.part) {
      joined.splice(-1, 1, { ...last, to: piece.to, size: last.size + piece.size });
    } else joined.push(piece);
  }
  return joined;
}

/** The head of a table with the line below it; undefined where a block is no table. */
function findTableHead(lines: readonly string[], from: number): TextPassage['head'] {
  const [first = '', second = ''] = lines;
  const isTable = tableRow.test(first) && tableRule.test(second) && second.includes('-');
  return isTable ? { from, to: from + first.length + second.trimEnd().length } : undefined;
}

/** Cuts a block that is too large: code and tables after lines, everything else after sentences. */
function cutBlock(text: string, { kind, from, to }: Block): readonly Piece[] {
  const whole = text.slice(from, to);
  const lines = whole.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  const head = findTableHead(lines, from);
  const parts = kind === 'fence' || head !== undefined ? lines : splitSentences(whole);
  let at = from;
  const pieces = parts.map((part): Piece => {
    const start = at;
    at += part.length;
    const isBelow = head !== undefined && start >= head.to;
    return { from: start, to: at, size: toSize(part), ...(isBelow && { head }) };
  });
  return joinPieces(pieces);
}

/** Whether a block ends on a blank line. */
const endsBlank = (block: string): boolean => block.slice(block.trimEnd().length).split('\n').length > 2;

/** Blocks that no blank line parts, such as the items of a list. */
function toRuns(text: string, blocks: readonly Block[]): readonly (readonly Block[])[] {
  const runs: Block[][] = [];
  for (const block of blocks) {
    const last = runs.at(-1)?.at(-1);
    const isParted = last === undefined || block.kind === 'heading' || endsBlank(text.slice(last.from, last.to));
    if (isParted) runs.push([block]);
    else runs.at(-1)?.push(block);
  }
  return runs;
}

function cutRun(text: string, run: readonly Block[]): readonly Piece[] {
  const [from, to] = [run[0]?.from ?? 0, run.at(-1)?.to ?? 0];
  const size = toSize(text.slice(from, to));
  if (size <= SIZES.most) return [{ from, to, size }];
  return joinPieces(
    run.flatMap((block) => {
      const own = toSize(text.slice(block.from, block.to));
      return own <= SIZES.most ? [{ from: block.from, to: block.to, size: own }] : cutBlock(text, block);
    }),
  );
}

/** Whether pieces go with what follows them, together with what does before them: a heading, or what announces a list. */
function isLead(text: string, pieces: readonly Piece[], lead: number | undefined): boolean {
  const [first, ...others] = pieces;
  if (first === undefined || others.length > 0 || first.to - (lead ?? first.from) > SIZES.part) return false;
  return first.size < SIZES.least || announces.test(text.slice(first.from, first.to).trimEnd());
}

/**
 * Cuts a text into passages that can be read alone; put together they are the text exactly. It is cut between paragraphs, lists, tables
 * and code, of those that are too long between items, rows and lines, and of a long paragraph between sentences. A heading, and what
 * announces a list, goes with what follows it.
 */
export function splitPassages(text: string): readonly TextPassage[] {
  if (toSize(text) <= SIZES.part) return [{ from: 0, to: text.length }];
  const passages: TextPassage[] = [];
  let lead: number | undefined;
  for (const run of toRuns(text, splitBlocks(text))) {
    const pieces = cutRun(text, run);
    if (isLead(text, pieces, lead)) {
      lead ??= pieces[0]?.from;
      continue;
    }
    for (const { from, to, head } of pieces) {
      passages.push({ from: lead ?? from, to, ...(head !== undefined && { head }) });
      lead = undefined;
    }
  }
  if (lead !== undefined) passages.push({ from: lead, to: text.length });
  return passages;
}
