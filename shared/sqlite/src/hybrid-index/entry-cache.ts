import type { EntryRow, ReadEntries } from './entries.ts';
import { BLOCK_ROWS, createEntryBlock, type EntryBlock } from './entry-block.ts';

/** Some slots of a block, each with the position of its row among those that were asked for. */
export interface EntryBatch {
  readonly block: EntryBlock;
  readonly slots: Int32Array;
  readonly positions: Int32Array;
  /** How many of them there are. */
  readonly count: number;
}

/** Entries of the index in memory, about so many bytes of them at most. */
export interface EntryCache {
  /**
   * Gives the entries of rows in batches, in any order: from memory, or read now and kept as long as there is room. A batch
   * lasts until `score` returns.
   */
  visit(rows: readonly number[], read: ReadEntries, score: (batch: EntryBatch) => void): void;
  forget(row: number): void;
  clear(): void;
}

interface CachedBlock {
  readonly block: EntryBlock;
  /** The number of the last search that used it. */
  used: number;
}

/** Builds the gathering of slots into batches of one block each. */
function createGathering(score: (batch: EntryBatch) => void) {
  const slots = new Int32Array(BLOCK_ROWS);
  const positions = new Int32Array(BLOCK_ROWS);
  let block: EntryBlock | undefined;
  let count = 0;
  const flush = (): void => {
    if (block !== undefined && count > 0) score({ block, slots, positions, count });
    count = 0;
  };
  return {
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

type Gathering = ReturnType<typeof createGathering>;

/** Words from which on the block that keeps nothing is scored and begun again. */
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
  let bytes = 0;
  let open: number | undefined;
  let search = 0;

  const drop = (number: number): void => {
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
  const makeRoom = (wanted: number): boolean => {
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
    if (!makeRoom(passing.bytes)) return undefined;
    const free = blocks.indexOf(undefined);
    open = free === -1 ? blocks.length : free;
    const block = createEntryBlock(dimensions);
    blocks[open] = { block, used: search };
    bytes += block.bytes;
    return open;
  };

  /** Puts an entry through the block that keeps nothing. */
  const pass = (entry: EntryRow, position: number, { add, flush }: Gathering): void => {
    if (passing.count === BLOCK_ROWS || (passing.words.starts[passing.count] ?? 0) > MAX_PASSING_WORDS) {
      flush();
      passing.clear();
    }
    add(passing, passing.add(entry), position);
  };
  const readMissing = (missing: ReadonlyMap<number, number>, read: ReadEntries, gathering: Gathering): void => {
    for (const entry of read([...missing.keys()])) {
      const position = missing.get(entry.row) ?? 0;
      const number = toOpen();
      const cached = number === undefined ? undefined : blocks[number];
      if (number === undefined || cached === undefined) {
        pass(entry, position, gathering);
        continue;
      }
      cached.used = search;
      const before = cached.block.bytes;
      const slot = cached.block.add(entry);
      bytes += cached.block.bytes - before;
      places.set(entry.row, number * BLOCK_ROWS + slot);
      gathering.add(cached.block, slot, position);
      if (makeRoom(0)) continue;
      gathering.flush();
      drop(number); // Long texts have made it larger than there is room for.
    }
  };
  return {
    visit: (rows, read, score) => {
      search += 1;
      const gathering = createGathering(score);
      const missing = new Map<number, number>();
      for (let position = 0; position < rows.length; position += 1) {
        const row = rows[position] as number;
        const place = places.get(row);
        const cached = place === undefined ? undefined : blocks[Math.floor(place / BLOCK_ROWS)];
        if (place === undefined || cached === undefined) missing.set(row, position);
        else {
          cached.used = search;
          gathering.add(cached.block, place % BLOCK_ROWS, position);
        }
        if (missing.size < BLOCK_ROWS) continue;
        readMissing(missing, read, gathering);
        missing.clear();
      }
      if (missing.size > 0) readMissing(missing, read, gathering);
      gathering.flush();
      passing.clear();
    },
    forget: (row) => void places.delete(row),
    clear: () => {
      places.clear();
      blocks.length = 0;
      open = undefined;
      bytes = 0;
    },
  };
}
