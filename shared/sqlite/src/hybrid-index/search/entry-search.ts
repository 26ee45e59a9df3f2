import { setImmediate } from 'node:timers/promises';
import type { EntryRow } from '../cache/entries.ts';
import { createEntryCache } from '../cache/entry-cache.ts';
import { beginScoring, type ScoredQuery } from './score-rows.ts';
import { type BestRows, toBestRows } from './search.ts';

/** Rows that are scored before other calls are answered. */
const PART = 4_096;
/** Entries that are read at once. */
const READ = 1_024;

/** Reads entries by their numbers; those that are gone are left out. */
export type FetchEntries = (rows: readonly number[]) => Promise<readonly EntryRow[]>;

/** The search of entries that another database keeps, by the same code as that of the SQLite index. */
export interface EntrySearch {
  /** @param rows the selection, each once: a number stands for the same entry for ever */
  search(rows: readonly number[], query: ScoredQuery, limit: number, fetch: FetchEntries): Promise<BestRows>;
}

/** Builds a search that keeps at most `cacheBytes` of the entries in memory. */
export function createEntrySearch(cacheBytes: number, dimensions: number): EntrySearch {
  const cache = createEntryCache(cacheBytes, dimensions);
  /** The entries of rows that are not in memory. Others search meanwhile, and may push out what was there: it is looked again. */
  const fetchMissing = async (rows: readonly number[], fetch: FetchEntries): Promise<ReadonlyMap<number, EntryRow>> => {
    const fetched = new Map<number, EntryRow>();
    const requested = new Set<number>();
    for (;;) {
      const missing = cache.missing(rows).filter((row) => !requested.has(row));
      if (missing.length === 0) return fetched;
      for (let at = 0; at < missing.length; at += READ) {
        const some = missing.slice(at, at + READ);
        for (const row of some) requested.add(row);
        for (const entry of await fetch(some)) fetched.set(entry.row, entry);
      }
    }
  };
  return {
    search: async (rows, query, limit, fetch) => {
      const scoring = beginScoring(cache, query, rows.length);
      for (let at = 0; at < rows.length; at += PART) {
        if (at > 0) await setImmediate();
        const part = rows.slice(at, at + PART);
        const fetched = await fetchMissing(part, fetch);
        scoring.add(part, (wanted) => wanted.flatMap((row) => fetched.get(row) ?? []));
      }
      return toBestRows(rows, scoring.finish(), limit);
    },
  };
}
