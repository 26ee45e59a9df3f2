import { LRUCache } from 'lru-cache';
import type { ReadEntries, ReadEntry } from './entries.ts';

/** Bytes of an entry in memory next to those of its words and its vector. */
const OVERHEAD = 512;
/** Rows that are read at once, so that no more than these lie in memory twice. */
const BATCH = 256;

/** Entries of the index in memory, at most so many bytes of them. */
export interface EntryCache {
  /** Gives the entries of rows one by one: from memory, or read now and kept as long as there is room. */
  visit(rows: readonly number[], read: ReadEntries, visitor: (entry: ReadEntry, position: number) => void): void;
  forget(row: number): void;
  clear(): void;
}

function toSize({ words, vector }: ReadEntry): number {
  return words.byteLength + (vector?.byteLength ?? 0) + OVERHEAD;
}

/** Builds a cache that forgets what was not used for longest; with 0 bytes it keeps nothing. */
export function createEntryCache(maxBytes: number): EntryCache {
  const cache =
    maxBytes > 0 ? new LRUCache<number, ReadEntry>({ maxSize: maxBytes, sizeCalculation: toSize }) : undefined;

  const visitBatch = (
    rows: readonly number[],
    read: ReadEntries,
    visitor: (entry: ReadEntry, position: number) => void,
    room: { left: number },
  ): void => {
    const positions = new Map<number, number>();
    const visit = (entry: ReadEntry, position: number): void => {
      room.left -= toSize(entry);
      visitor(entry, position);
    };
    rows.forEach((row, at) => {
      const entry = cache?.get(row);
      if (entry === undefined) positions.set(row, at);
      else visit(entry, at);
    });
    if (positions.size === 0) return;
    for (const entry of read([...positions.keys()])) {
      visit(entry, positions.get(entry.row) ?? 0);
      // What one search reads beyond the size of the cache would only drive out what the next one finds there.
      if (room.left >= 0) cache?.set(entry.row, entry);
    }
  };

  return {
    visit: (rows, read, visitor) => {
      const room = { left: maxBytes };
      for (let from = 0; from < rows.length; from += BATCH) {
        const batch = rows.slice(from, from + BATCH);
        visitBatch(batch, read, (entry, at) => visitor(entry, from + at), room);
      }
    },
    forget: (row) => void cache?.delete(row),
    clear: () => cache?.clear(),
  };
}
