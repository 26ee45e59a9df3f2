import type { FoundMemory, MemoryDraft, StoredMemory } from './memory.ts';
import type { MemoryType } from './memory-type.ts';

/** What became of an added memory. */
export interface AddOutcome {
  readonly id: string;
  readonly kind: 'added' | 'updated' | 'known';
  /** The type that it was stored as. */
  readonly type: MemoryType;
}

/** What to look for. */
export interface MemoryQuery {
  readonly query: string;
  readonly types: readonly MemoryType[];
  readonly limit: number;
}

/** What a user has of one type. */
export interface TypeOverview {
  readonly total: number;
  /** The newest of them, newest first; of events those that happened last. */
  readonly newest: readonly StoredMemory[];
}

/** A vault item as it is stored; its version grows with each change. */
export interface SealedItem extends StoredMemory {
  readonly version: number;
}

/** Where memories are kept: nothing of one user is ever seen by a call for another. All methods reject with `ContextloomError`. */
export interface TypedMemoryStore {
  /** Names the backend to people. */
  readonly backend: string;
  /** Durable once resolved. */
  add(userId: string, draft: MemoryDraft): Promise<AddOutcome>;
  /** Best first. A vault item is found by its label. */
  search(userId: string, query: MemoryQuery): Promise<readonly FoundMemory[]>;
  /** The whole memory. */
  get(userId: string, id: string): Promise<StoredMemory | undefined>;
  /** Counts and the newest `limit` of each type. */
  overview(
    userId: string,
    types: readonly MemoryType[],
    limit: number,
  ): Promise<Readonly<Partial<Record<MemoryType, TypeOverview>>>>;
  /**
   * Marks what the user has: taken again for the same time, it is another mark if anything was written or removed in
   * between, by whatever program.
   * @param at epoch milliseconds
   */
  mark(userId: string, at: number): Promise<string>;
  /** Every sealed item. */
  listSealed(userId: string): Promise<readonly SealedItem[]>;
  /** Puts another ciphertext in the place of one, if the item is still at this version. */
  replaceSealed(userId: string, item: Pick<SealedItem, 'id' | 'version'>, sealed: string): Promise<void>;
  /** Rejects when the backend cannot be used. */
  check(): Promise<void>;
  close(): Promise<void>;
}
