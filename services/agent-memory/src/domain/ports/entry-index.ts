import type {
  EntryHit,
  EntryPage,
  ListRequest,
  MemoryEntry,
  OwnerProfile,
  SearchRequest,
  SpiritConfig,
  ToolDefinition,
} from '@contextloom/contracts/agent-memory';

/** An entry as the index has it. */
export interface IndexedEntry extends MemoryEntry {
  /** Its place among the entries of its file. */
  readonly position: number;
  /** When a person last changed it, as far as this index has seen; ISO 8601 UTC. */
  readonly editedAt?: string | undefined;
  /** The id that stands in the file: another one where two files have the same, none in a read-only workspace. */
  readonly writtenId: string | undefined;
}

/** What a file says besides its entries. */
export type FileFacts =
  | { readonly kind: 'spirit'; readonly spirit: SpiritConfig }
  | { readonly kind: 'owner'; readonly owner: OwnerProfile }
  | { readonly kind: 'tools'; readonly tools: readonly ToolDefinition[] }
  | { readonly kind: 'day'; readonly summary: string | undefined }
  | { readonly kind: 'none' };

/** All that is indexed of one file. */
export interface IndexedFile {
  readonly path: string;
  readonly stamp: string;
  /** When the file last changed, and of a daily log when its day began; ISO 8601 UTC. */
  readonly modified: string;
  readonly created: string | undefined;
  readonly facts: FileFacts;
  readonly entries: readonly IndexedEntry[];
}

/** Which entries are meant: days are inclusive. */
export interface EntrySelection
  extends Pick<ListRequest, 'content_type' | 'start_date' | 'end_date'>,
    Partial<Pick<ListRequest, 'since' | 'until'>> {
  /** Leaves out MEMORY.md. */
  readonly withoutLongTerm?: boolean;
  /** Leaves out what has ended by then, in epoch milliseconds. */
  readonly aliveAt?: number;
}

/** A search of the index. */
export interface IndexQuery extends EntrySelection, Pick<SearchRequest, 'query' | 'limit' | 'min_score'> {
  /** An entry whose like are looked for, and which is not to be found: everything that shares words with it is like it. */
  readonly except?: string;
}

/** What a search of the index finds, best first, and the relevance of the best entry, whether it fits or not. */
export interface FoundEntries {
  readonly hits: readonly EntryHit[];
  readonly nearest: number;
}

/** What is derived from the files: where each entry is, and by which words and vectors it is found. */
export interface EntryIndex {
  /** The files as they were indexed, by path: their stamps. */
  stamps(): ReadonlyMap<string, string>;
  /** The stamp of a file as it was indexed. */
  stampOf(path: string): string | undefined;
  /** Makes the entries of files what they are now; an entry that another file had moves. */
  put(files: readonly IndexedFile[]): Promise<void>;
  /** Takes files out, with their entries. */
  remove(paths: readonly string[]): Promise<void>;
  get(id: string): IndexedEntry | undefined;
  /** The entries of a file in its order. */
  ofFile(path: string): readonly IndexedEntry[];
  /** The summary that stands in a daily log. */
  summaryOf(path: string): string | undefined;
  /** The files that entries are in, by id. */
  filesOf(ids: readonly string[]): ReadonlyMap<string, string>;
  /** When persons last changed entries, by id. */
  editsOf(ids: readonly string[]): ReadonlyMap<string, string>;
  /** The files with an entry whose written id is another entry's. */
  filesWaitingFor(ids: readonly string[]): readonly string[];
  list(selection: EntrySelection, page: { readonly limit: number; readonly offset: number }): EntryPage;
  search(query: IndexQuery): Promise<FoundEntries>;
  /** The entries that have ended by then, in epoch milliseconds. */
  ended(now: number): readonly Pick<IndexedEntry, 'id' | 'source_file'>[];
  /** Keeps that entries have ended, by their ids, for as long as the index is kept. */
  addReceipts(ids: readonly string[], at: Date): Promise<void>;
  /** Makes the vectors that could not be made before. @returns how many still are missing */
  completeVectors(): Promise<number>;
  /** Erases the bytes of entries that are gone; answers whether there were any. */
  eraseRemoved(): Promise<boolean>;
  /** How many entries have no vector yet. */
  countWaiting(): number;
  /** Forgets everything. */
  clear(): Promise<void>;
  count(): number;
  close(): Promise<void>;
}

/** An index that is begun again when its own file is of no more use: the files it is derived from have everything. */
export interface RenewableIndex extends EntryIndex {
  /** Whether a call said that it is damaged, or was replaced by another process. */
  isStale(): boolean;
  /** Sets a stale index aside and begins an empty one; nothing for another. */
  renew(): Promise<void>;
}
