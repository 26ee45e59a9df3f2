import { ContextloomError } from '@contextloom/contracts';
import { BREAKS, type CountTokens, isWordBorder, splitUnits, type Unit } from './split-units.ts';

/** A part of a text: `text` is what stands from `from` to `to`, in UTF-16 code units. */
export interface Chunk {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** How a text is cut. */
export interface ChunkOptions {
  readonly countTokens: CountTokens;
  /** Most tokens of a chunk, default 500, at least 8. */
  readonly size?: number;
  /** Most tokens that a chunk repeats of the one before, default 50 (less for a small size), at most half of the size. */
  readonly overlap?: number;
}

const SIZE = 500;
const LEAST_SIZE = 8;
const OVERLAP = 50;
/** How many characters a token has at most, where a passage of so many tokens is looked for. */
const CHARACTERS_PER_TOKEN = 6;

interface Cutting {
  readonly text: string;
  readonly units: readonly Unit[];
  readonly size: number;
  readonly overlap: number;
  readonly countTokens: CountTokens;
}

function toCutting(text: string, { countTokens, size = SIZE, overlap }: ChunkOptions): Cutting {
  if (!Number.isInteger(size) || size < LEAST_SIZE) {
    throw new ContextloomError('invalid', `size must be a whole number of at least ${LEAST_SIZE}`, { field: 'size' });
  }
  const repeated = overlap ?? Math.min(OVERLAP, Math.floor(size / 10));
  if (!Number.isInteger(repeated) || repeated < 0 || repeated > size / 2) {
    throw new ContextloomError('invalid', 'overlap must be a whole number from 0 to half of size', {
      field: 'overlap',
    });
  }
  return { text, units: splitUnits(text, size, countTokens), size, overlap: repeated, countTokens };
}

/** The units from one on that fit into some tokens; one at least. */
function takeFitting(units: readonly Unit[], first: number, limit: number): number {
  let [end, tokens] = [first, 0];
  for (; end < units.length; end += 1) {
    tokens += units[end]?.tokens ?? 0;
    if (tokens > limit && end > first) break;
  }
  return end;
}

/** The first unit after the fenced code that one belongs to, and the tokens of what there is of it from that unit on. */
function measureFence(
  units: readonly Unit[],
  first: number,
  most: number,
): { readonly end: number; readonly tokens: number } {
  const fence = units[first]?.fence;
  let [end, tokens] = [first, 0];
  while (units[end]?.fence === fence && end < units.length && tokens <= most) {
    tokens += units[end]?.tokens ?? 0;
    end += 1;
  }
  return { end, tokens };
}

/** The best place to end a chunk that holds the units from `first` to before `end`, and no more: where the next one begins. */
function chooseEnd({ units, size }: Cutting, first: number, end: number): number {
  const next = units[end];
  if (next === undefined) return end;
  // Fenced code that fits into a chunk is not cut.
  if (next.fence !== undefined && next.fence === units[end - 1]?.fence) {
    let start = end;
    while (start > first && units[start - 1]?.fence === next.fence) start -= 1;
    if (start > first && measureFence(units, start, size).tokens <= size) return skipHeadings(units, first, start);
  }
  let [best, tokens] = [end, 0];
  for (let at = end; at > first; at -= 1) {
    if ((units[at]?.before ?? 0) > (units[best]?.before ?? 0)) best = at;
    tokens += units[at - 1]?.tokens ?? 0;
    if (tokens > size / 2) break;
  }
  return skipHeadings(units, first, best);
}

/** A heading goes with what follows it. */
function skipHeadings(units: readonly Unit[], first: number, end: number): number {
  let at = end;
  while (at > first && units[at]?.before === BREAKS.never) at -= 1;
  return at > first ? at : end;
}

/** Where the last words of a chunk begin that are at most so many tokens; its end when not one fits. */
function findTail({ text, countTokens }: Cutting, from: number, to: number, most: number): number {
  let start = Math.max(from + 1, to - CHARACTERS_PER_TOKEN * most);
  while (start < to) {
    while (start < to && !isWordBorder(text, start)) start += 1;
    if (start < to && countTokens(text.slice(start, to)) <= most) return start;
    start += Math.max(1, Math.floor((to - start) / 4));
  }
  return to;
}

/** Where a chunk begins whose own units begin at `next`: as many whole sentences before it as the overlap has room for. */
function findStart(cutting: Cutting, previous: Chunk, first: number, next: number): number {
  const { units, size } = cutting;
  const needed = units[next]?.fence === undefined ? (units[next]?.tokens ?? 0) : measureFence(units, next, size).tokens;
  const most = Math.min(cutting.overlap, needed > size ? cutting.overlap : size - needed);
  let [start, tokens] = [next, 0];
  while (start > first + 1) {
    tokens += units[start - 1]?.tokens ?? 0;
    if (tokens > most) break;
    start -= 1;
  }
  const tokensFrom = (unit: number): number => cutting.countTokens(cutting.text.slice(units[unit]?.from, previous.to));
  while (start < next && tokensFrom(start) > most) start += 1;
  return start < next ? (units[start]?.from ?? previous.to) : findTail(cutting, previous.from, previous.to, most);
}

/** The chunk from a place on with the units from `first` to before `end`, or fewer: counted as one, a text may be more. */
function toChunk(
  { text, units, size, countTokens }: Cutting,
  from: number,
  first: number,
  end: number,
): [Chunk, number] {
  const own = units[first]?.from ?? from;
  const build = (start: number, last: number): Chunk => {
    const to = units[last - 1]?.to ?? text.length;
    return { text: text.slice(start, to), from: start, to };
  };
  for (let last = end; last > first; last -= 1) {
    const chunk = build(from, last);
    if (countTokens(chunk.text) <= size) return [chunk, last];
  }
  return [build(own, first + 1), first + 1];
}

/**
 * Cuts a text into chunks of at most `size` tokens that together cover it, in its order. It is cut before headings and between
 * blocks of Markdown where that leaves a chunk at least half full, else between sentences, else between words or CJK
 * characters; fenced code that fits into a chunk stays whole. Each chunk begins with the last whole sentences of the one
 * before, or else its last words, of at most `overlap` tokens. A blank text has no chunks.
 * @throws ContextloomError `invalid` for a size or overlap that is out of bounds
 */
export function chunkText(text: string, options: ChunkOptions): readonly Chunk[] {
  const cutting = toCutting(text, options);
  const { units, size, countTokens } = cutting;
  const chunks: Chunk[] = [];
  if (text.trim() === '') return chunks;
  let [first, from, earlier] = [0, 0, 0];
  while (first < units.length) {
    const repeated = from < (units[first]?.from ?? from) ? countTokens(text.slice(from, units[first]?.from)) : 0;
    const fitting = takeFitting(units, first, size - repeated);
    const [chunk, end] = toChunk(cutting, from, first, chooseEnd(cutting, first, fitting));
    chunks.push(chunk);
    [earlier, first] = [first, end];
    from = first < units.length ? findStart(cutting, chunk, earlier, first) : chunk.to;
  }
  return chunks;
}
