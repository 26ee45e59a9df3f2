import type { Tokens } from '@contextloom/retrieval';
import { withStorageErrors } from '../database/errors.ts';
import {
  createCountWithoutVector,
  createFindWithoutVector,
  createPutEntry,
  type IndexEntry,
  type PutEntry,
  toIndexEntry,
} from './cache/entries.ts';
import type { IndexedDatabase } from './indexed-database.ts';
import type { HybridHits, HybridQuery } from './search/search.ts';
import { createFingerprintRecord, type IndexState, type ToMismatchError } from './upkeep/fingerprint.ts';
import { createRebuildIndex, type RebuildIndexOptions, type RebuildReport } from './upkeep/rebuild.ts';
import type { IndexDefinition } from './upkeep/schema.ts';
import { createUpgradeIndex, type UpgradeIndexOptions } from './upkeep/upgrade.ts';

/** The parts of an index. */
export interface HybridIndexOptions {
  readonly definition: IndexDefinition;
  readonly indexed: IndexedDatabase;
  /** Says what to do about an index that something else derived. */
  readonly toMismatchError?: ToMismatchError;
}

/** A table's texts, found by their words and vectors inside a selection of its rows. */
export interface HybridIndex {
  /** Whether this program, as configured, derived the index; claims the index of an empty table. */
  claim(): Promise<boolean>;
  /** Whether this program, as configured, derived the index and not an earlier version, see {@link IndexDefinition}. */
  isOwn(): boolean;
  /** @throws ContextloomError `unavailable` when something else derived the index */
  check(): void;
  state(): IndexState;
  /**
   * Makes what {@link HybridIndex.put} writes of a text, or of its tokens (all of them: see `keepStopWords`). The present vector
   * stays for `undefined`, where the text is the same, and goes for `null`, where the text has no vector yet.
   */
  toEntry(text: Tokens | string, vector: Float32Array | null | undefined): IndexEntry;
  /** Writes the entry of a row, inside the transaction that writes the row. Deleting a row deletes its entry. */
  put: PutEntry;
  /** Rows after one whose text has no vector yet, in order, at most `limit`: see `toWaitingSchema`. */
  withoutVector(limit: number, after?: number): readonly number[];
  /** How many rows have a text without a vector yet. */
  countWithoutVector(): number;
  /**
   * @param rows how many rows the search looks through; those of the selection are counted when absent
   * @throws ContextloomError `unavailable` when something else derived the index
   */
  search(query: HybridQuery, rows?: number): Promise<HybridHits>;
  rebuild(options: RebuildIndexOptions): Promise<RebuildReport>;
  /** Rebuilds the index unless this program derived it; one process at a time works on it, and all wait until it is done. */
  upgrade(options: UpgradeIndexOptions): Promise<RebuildReport['kind']>;
}

/** Builds an index over existing tables: see `toIndexSchema`. */
export function createHybridIndex({ definition, indexed, toMismatchError }: HybridIndexOptions): HybridIndex {
  const { database, transactions, reading } = indexed;
  const record = createFingerprintRecord(database, definition, toMismatchError);
  const lockFile = `${database.name}-${definition.name}-rebuild`;
  const rebuild = createRebuildIndex(database, definition, { record, transactions, lockFile });
  return {
    claim: () => transactions.run(record.claim),
    isOwn: () => withStorageErrors(record.isOwn),
    check: () => withStorageErrors(record.check),
    state: () => withStorageErrors(record.state),
    toEntry: (text, vector) => toIndexEntry(text, vector, definition.dimensions),
    put: createPutEntry(database, definition),
    withoutVector: createFindWithoutVector(database, definition),
    countWithoutVector: createCountWithoutVector(database, definition),
    search: async (query, rows) => {
      withStorageErrors(record.check); // Here the error says what to do; a thread could only report the mismatch.
      return reading.search(definition, query, rows);
    },
    rebuild: (options) => rebuild(options),
    upgrade: createUpgradeIndex(lockFile, record, rebuild),
  };
}
