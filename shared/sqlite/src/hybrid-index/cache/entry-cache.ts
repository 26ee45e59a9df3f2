import type { EntryRow, ReadEntries } from './entries.ts';
import { BLOCK_ROWS, createEntryBlock, type EntryBlock } from './entry-block.ts';

/** Some slots of a block, each with the position of its row among those that were requested. */
export interface EntryBatch {
  readonly block: EntryBlock;
  readonly slots: Int32Array;
  readonly positions: Int32Array;
  /** How many of them there are. */
  readonly count: number;
}

/** Entries of the index in memory, up to about so many bytes. */
export interface EntryCache {
  /**
   * Gives the entries of rows in batches, in any order: from memory, or read now and kept as long as there is room. A batch
   * lasts until `score` returns.
   */
  visit(rows: readonly number[], read: ReadEntries, score: (batch: EntryBatch) => void): void;
  /** Those of the rows that are not in memory. */
  missing(rows: readonly number[]): readonly number[];
  forget(row: number): void;
  clear(): void;
}

interface CachedBlock {
  readonly block: EntryBlock;
  /** The number of the last search that used it. */
  used: number;
}

/** Stands for the place of a row that is not in memory. */
const NOWHERE = -1;

/** The positions of places ordered by block, with their slots, and where the part of each block ends (a counting sort). */
function toBlockOrder(places: Int32Array, blocks: number) {
  const ends = new Int32Array(blocks);
  const toBlock = (place: number): number => Math.floor(place / BLOCK_ROWS);
  for (const place of places) if (place !== NOWHERE) ends[toBlock(place)] = (ends[toBlock(place)] as number) + 1;
  for (let block = 1; block < blocks; block += 1) ends[block] = (ends[block] as number) + (ends[block - 1] as number);
  const slots = new Int32Array(ends.at(-1) ?? 0);
  const positions = new Int32Array(slots.length);
  const next = ends.slice();
  // From the last, so that each part fills up from its end.
  for (let position = places.length - 1; position >= 0; position -= 1) {
    const place = places[position] as number;
    if (place === NOWHERE) continue;
    const block = toBlock(place);
    const at = (next[block] as number) - 1;
    next[block] = at;
    slots[at] = place % BLOCK_ROWS;
    positions[at] = position;
  }
  return { slots, positions, ends };
}

/** Builds the gathering of slots into batches of one block each, for one search after the other. */
function createGathering() {
  const slots = new Int32Array(BLOCK_ROWS);
  const positions = new Int32Array(BLOCK_ROWS);
  let score: (batch: EntryBatch) => void = () => undefined;
  let block: EntryBlock | undefined;
  let count = 0;
  const flush = (): void => {
    if (block !== undefined && count > 0) score({ block, slots, positions, count });
    count = 0;
  };
  return {
    begin: (next: (batch: EntryBatch) => void): void => {
      score = next;
      count = 0; // A failed search may have left some.
    },
    flush,
    add: (next: EntryBlock, slot: number, position: number): void => {
      if (next !== block || count === BLOCK_ROWS) flush();
      block = next;
      slots[count] = slot;
      positions[count] = position;
      count += 1;
    },
  };
}

/** So many words fill the block that is not kept: it is scored and emptied. */
const MAX_PASSING_WORDS = 2 ** 19;

/**
 * Builds a cache in blocks of rows that were read one after the other, as a user's mostly are. The block that was not used
 * for longest is dropped first, but none that the same search has used: what a search reads beyond the size of the cache
 * goes through one more block, which keeps nothing.
 */
export function createEntryCache(maxBytes: number, dimensions: number): EntryCache {
  /** Where rows are: the number of a block times BLOCK_ROWS, and the slot. */
  const places = new Map<number, number>();
  const blocks: (CachedBlock | undefined)[] = [];
  const passing = createEntryBlock(dimensions);
  const gathering = createGathering();
  let bytes = 0;
  let open: number | undefined;
  let search = 0;
  /** Counts the changes of `places`. */
  let layout = 0;

  const drop = (number: number): void => {
    layout += 1;
    const { block } = blocks[number] ?? {};
    blocks[number] = undefined;
    bytes -= block?.bytes ?? 0;
    if (open === number) open = undefined;
    for (let slot = 0; slot < (block?.count ?? 0); slot += 1) {
      const row = block?.rows[slot] ?? 0;
      if (places.get(row) === number * BLOCK_ROWS + slot) places.delete(row);
    }
  };
  /** Drops blocks that this search has not used until `wanted` bytes more have room; tells whether they have. */
  const evict = (wanted: number): boolean => {
    while (bytes + wanted > maxBytes) {
      let oldest: number | undefined;
      blocks.forEach((one, number) => {
        if (one === undefined || one.used === search) return;
        if (oldest === undefined || one.used < (blocks[oldest]?.used ?? 0)) oldest = number;
      });
      if (oldest === undefined) return false;
      drop(oldest);
    }
    return true;
  };
  /** The number of a block with a free slot; undefined when there is no room for one. */
  const toOpen = (): number | undefined => {
    if (open !== undefined && (blocks[open]?.block.count ?? 0) < BLOCK_ROWS) return open;
    open = undefined;
    if (!evict(passing.bytes)) return undefined;
    const free = blocks.indexOf(undefined);
    open = free === -1 ? blocks.length : free;
    const block = createEntryBlock(dimensions);
    blocks[open] = { block, used: search };
    bytes += block.bytes;
    return open;
  };

  /** Where rows are, and the positions of those that are not in memory. */
  const findPlaces = (rows: readonly number[]) => {
    const missing: number[] = [];
    const found = new Int32Array(rows.length);
    for (let position = 0; position < rows.length; position += 1) {
      const place = places.get(rows[position] as number);
      found[position] = place ?? NOWHERE;
      if (place === undefined) missing.push(position);
    }
    return { rows, layout, missing, ...toBlockOrder(found, blocks.length) };
  };
  /** Those of the last search: the next one is mostly for the same list of rows, of a user who has many. */
  let placed: ReturnType<typeof findPlaces> | undefined;

  /**
   * Gives the entries that are in memory block by block, in whichever order the rows are: what one user's searches have read
   * lies in other blocks than its neighbours. Returns the positions of the others.
   */
  const visitCached = (rows: readonly number[], score: (batch: EntryBatch) => void): readonly number[] => {
    if (placed?.rows !== rows || placed.layout !== layout) placed = findPlaces(rows);
    const { slots, positions, ends, missing } = placed;
    let from = 0;
    for (const [number, cached] of blocks.entries()) {
      const end = ends[number] as number;
      if (cached !== undefined && end > from) {
        cached.used = search;
        const part = { slots: slots.subarray(from, end), positions: positions.subarray(from, end) };
        score({ block: cached.block, ...part, count: end - from });
      }
      from = end;
    }
    return missing;
  };
  /** Puts an entry through the block that keeps nothing. */
  const pass = (entry: EntryRow, position: number): void => {
    if (passing.count === BLOCK_ROWS || (passing.words.starts[passing.count] ?? 0) > MAX_PASSING_WORDS) {
      gathering.flush();
      passing.clear();
    }
    gathering.add(passing, passing.add(entry), position);
  };
  const readMissing = (missing: ReadonlyMap<number, number>, read: ReadEntries): void => {
    for (const entry of read([...missing.keys()])) {
      const position = missing.get(entry.row) ?? 0;
      const number = toOpen();
      const cached = number === undefined ? undefined : blocks[number];
      if (number === undefined || cached === undefined) {
        pass(entry, position);
        continue;
      }
      cached.used = search;
      const before = cached.block.bytes;
      const slot = cached.block.add(entry);
      if (cached.block.count === BLOCK_ROWS) cached.block.seal();
      bytes += cached.block.bytes - before;
      places.set(entry.row, number * BLOCK_ROWS + slot);
      layout += 1;
      gathering.add(cached.block, slot, position);
      if (evict(0)) continue;
      gathering.flush();
      drop(number); // Long texts have made it too large.
    }
  };
  return {
    visit: (rows, read, score) => {
      search += 1;
      const missing = visitCached(rows, score);
      gathering.begin(score);
      for (let from = 0; from < missing.length; from += BLOCK_ROWS) {
        const requested = missing.slice(from, from + BLOCK_ROWS);
        readMissing(new Map(requested.map((position) => [rows[position] as number, position])), read);
      }
      gathering.flush();
      passing.clear();
    },
    missing: (rows) => rows.filter((row) => !places.has(row)),
    forget: (row) => {
      places.delete(row);
      layout += 1;
    },
    clear: () => {
      layout += 1;
      places.clear();
      blocks.length = 0;
      open = undefined;
      bytes = 0;
    },
  };
}
