import type { MemoryType } from '@contextloom/contracts/typed-memory';
import type { FoundMemory, MemoryDraft, StoredMemory } from './memory.ts';

/** What became of an added memory. */
export interface AddOutcome {
  /** Absent if the backend makes its own memories of the text and returns no ids. */
  readonly id?: string | undefined;
  /** `processed`: the backend has made memories of it; `queued`: it will, later. */
  readonly kind: 'added' | 'updated' | 'known' | 'processed' | 'queued';
  /** The type that it was stored as, or handed over as. */
  readonly type: MemoryType;
}

/** What to look for. */
export interface MemoryQuery {
  readonly query: string;
  readonly types: readonly MemoryType[];
  readonly limit: number;
  /** What is less relevant is cut; nothing is when absent. */
  readonly minScore?: number | undefined;
}

/** What a user has of one type. */
export interface TypeOverview {
  readonly total: number;
  /** The newest of them, newest first; of events those that happened last. */
  readonly newest: readonly StoredMemory[];
  /** When the last of all was stored, ISO 8601 UTC, if the newest do not show it. */
  readonly updatedAt?: string | undefined;
}

/** A vault item as it is stored; its version grows with each change. */
export interface SealedItem extends StoredMemory {
  readonly version: number;
}

/** A message to a backend that has an agent of its own. */
export interface BackendMessage {
  readonly message: string;
  /** Data URIs. */
  readonly images: readonly string[];
  readonly memorizing: boolean;
}

/** The agent of a backend. */
export interface BackendAgent {
  /** Whether the backend has one, as far as that is known without asking it. */
  readonly isThere: () => boolean;
  readonly answer: (userId: string, message: BackendMessage, signal: AbortSignal) => Promise<string>;
}

/** Which memories to list: a page of some types. */
export interface MemoryListing {
  readonly types: readonly MemoryType[];
  /** Last changed first, or newest by when it happened. */
  readonly order: 'updated' | 'newest';
  /** Not before this time of ISO 8601. */
  readonly since?: string | undefined;
  /** Before this time. */
  readonly until?: string | undefined;
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

/** A page of memories. */
export interface ListedMemories {
  readonly memories: readonly StoredMemory[];
  readonly total: number;
  /** Asks for the next page; absent on the last. */
  readonly next?: string | undefined;
}

/** Which memory to remove, and whether nothing of it stays. */
export interface Removal {
  readonly id: string;
  readonly isErased: boolean;
}

/** Lists and corrects what a store holds. */
export interface MemoryEditor {
  readonly list: (userId: string, listing: MemoryListing) => Promise<ListedMemories>;
  /** Gives a memory other words and keeps those it had; undefined for an unknown id. */
  readonly replace: (
    userId: string,
    change: { readonly id: string; readonly toDraft: (before: StoredMemory) => MemoryDraft },
  ) => Promise<StoredMemory | undefined>;
  /** `false` for an unknown id. */
  readonly remove: (userId: string, removal: Removal) => Promise<boolean>;
}

/**
 * Where memories are kept: nothing of one user is ever seen by a call for another. All methods reject with `ContextloomError`;
 * a signal ends the call of a backend that is far away.
 */
export interface TypedMemoryStore {
  /** Names the backend to people. */
  readonly backend: string;
  /** Whether it stores vault items sealed; a store that does not gets none. */
  readonly keepsSealed: boolean;
  /** Whether it forgets a memory at its end by itself; a store that does not gets none with an end. */
  readonly keepsEnds: boolean;
  /** Durable once resolved, unless the outcome is `queued`. */
  add(userId: string, draft: MemoryDraft, signal?: AbortSignal): Promise<AddOutcome>;
  /** Best first. A vault item is found by its label. */
  search(userId: string, query: MemoryQuery, signal?: AbortSignal): Promise<readonly FoundMemory[]>;
  /** Where nothing fits a query: how near the best memory is, in [0,1]. Absent where the backend does not tell. */
  readonly nearest?: (userId: string, query: Omit<MemoryQuery, 'limit'>) => Promise<number | undefined>;
  /** The whole memory. */
  get(userId: string, id: string, signal?: AbortSignal): Promise<StoredMemory | undefined>;
  /** Counts and the newest `limit` of each type. */
  overview(
    userId: string,
    types: readonly MemoryType[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<Readonly<Partial<Record<MemoryType, TypeOverview>>>>;
  /**
   * Marks what the user has: taken again for the same time, it is another mark, or none, if anything was written or removed in
   * between, by whatever program. Undefined if something was written since this time.
   * @param at epoch milliseconds
   */
  mark(userId: string, at: number): Promise<string | undefined>;
  /** Every sealed item. */
  listSealed(userId: string): Promise<readonly SealedItem[]>;
  /** Puts another ciphertext in the place of one, if the item is still at this version. */
  replaceSealed(userId: string, item: Pick<SealedItem, 'id' | 'version'>, sealed: string): Promise<void>;
  /** Absent where the backend alone changes what it has made. */
  readonly editor?: MemoryEditor;
  /** Answers messages where no model is configured. */
  readonly agent?: BackendAgent;
  /** Rejects when the backend cannot be used, for a user if one is given. */
  check(userId?: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
