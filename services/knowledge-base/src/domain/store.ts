import type { Document, Forgotten, ListSort, StoredDocument } from '@contextloom/contracts';
import type { Attributes, RowCondition } from '@contextloom/retrieval/filter';
import type { Place, QueryTokens } from '@contextloom/retrieval/ranking';

/** A document with the further texts by which it is found. */
export type KeyedDocument = Document & Pick<StoredDocument, 'keys'>;

/** Which embedder filled a store: vectors of two of them are never compared. */
export interface EmbedderIdentity {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
}

/** Whose documents a call may see: an owner is the JSON text of `metadata.user_id`, `null` for documents of no user. */
export type Visibility =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'owners'; readonly owners: readonly string[] };

/** The documents that a query is about. Both parts are applied inside the engine's query, never after it. */
export interface Selection {
  readonly visible: Visibility;
  readonly condition: RowCondition;
}

/** All that is derived of a document, and can be derived again from it. */
export interface DocumentIndex {
  readonly attributes: Attributes;
  /** The text whose words it is found by. A store tokenises it: what comes of a long one takes many times its memory. */
  readonly text: string;
  readonly vector: Float32Array;
}

/** A document to be written. */
export interface DocumentWrite {
  readonly document: KeyedDocument;
  /** JSON text of `metadata.user_id`; `null` without one. */
  readonly owner: string;
  readonly importance: number | undefined;
  /** When it happened, epoch milliseconds; when it was stored, if unknown. */
  readonly time: number | undefined;
  readonly index: Omit<DocumentIndex, 'vector'>;
  /** Whether it may replace no document. */
  readonly mustBeNew?: boolean;
  /**
   * Absent in a replacement whose indexed text did not change: the vector stays. Null while there is none of this text: see
   * {@link DocumentStore.embedWaiting}.
   */
  readonly vector?: Float32Array | null;
}

/** A document as a store holds it, with all that it would take to hold it elsewhere. */
export interface ExportedDocument {
  readonly document: StoredDocument;
  /** As made by the embedder that fills the store; absent of a document that waits for it. */
  readonly vector?: Float32Array | undefined;
}

/** A document to be written as another store had it: with its times and its version. */
export interface RestoredWrite extends DocumentWrite {
  readonly document: StoredDocument;
  readonly vector: Float32Array | null;
}

/** How a call of `put` is meant. */
export interface PutOptions {
  /** The time of the change, ISO 8601 UTC. */
  readonly at: string;
  /** Whether a document may only be replaced by its owner's. */
  readonly keepOwners: boolean;
  /** Whether all ids were made for these documents just now, so that no document has one of them. */
  readonly hasNewIds?: boolean;
}

/** A document and the exact state of its row: `revision` is never used twice in a store. */
export interface StoredRecord {
  readonly document: StoredDocument;
  readonly revision: string;
}

/** A place in a listing, by all that one can be ordered by. */
export interface ListPosition {
  readonly importance: number | undefined;
  readonly time: number;
  readonly id: string;
  /** When the document was last changed, ISO 8601 UTC; given in the order `updated`. */
  readonly updatedAt?: string;
  /** How many documents the listing has, as its first page counted them: the pages behind it do not count again. */
  readonly total?: number;
}

/** Which page of a listing is requested; without `sort` the order is `relevance`. */
export interface ListPageRequest {
  readonly limit: number;
  readonly after?: ListPosition;
  readonly sort?: ListSort | undefined;
  /** Only documents of this time, in epoch milliseconds: from `from` on, before `to`. */
  readonly range?: { readonly from?: number | undefined; readonly to?: number | undefined } | undefined;
}

/** An owner as rows hold it, and how many documents are theirs. */
export interface OwnerCount {
  readonly owner: string;
  readonly documents: number;
}

/** One page of a listing. `more` tells whether anything follows; `total` counts the whole selection, of the range where there is one. */
export interface ListPage {
  readonly documents: readonly StoredDocument[];
  readonly total: number;
  readonly more: boolean;
}

/** A document that a query may have found, and what orders it besides its relevance. */
export interface Candidate {
  readonly id: string;
  readonly tags: readonly string[];
  /** Absent of a document that stands alone. */
  readonly place?: Place | undefined;
  readonly importance: number | undefined;
  /** When it happened, epoch milliseconds; when it was stored, if unknown. */
  readonly time: number;
  /** When it happened, if it says so. */
  readonly happened?: number | undefined;
  /** How long its content is, in characters, where the engine knows. */
  readonly length?: number | undefined;
  /** The document, where the engine had to read it anyway. */
  readonly document?: StoredDocument;
}

/** A candidate that one retriever found. */
export interface Hit {
  readonly candidate: Candidate;
  /** By words that of `createBm25`, by vector the cosine, 0 without a vector or where it is negative; comparable within one list of one search. */
  readonly score: number;
  /** The score of the other retriever, where the engine knows it though that list is too short for it. */
  readonly other?: number | undefined;
}

/** The hits of each retriever, best first. */
export interface Hits {
  readonly byWords: readonly Hit[];
  readonly byVector: readonly Hit[];
}

/** The visible documents and their vectors, counted, and their tags in code unit order. */
export interface StoreStats {
  readonly documents: number;
  readonly vectors: number;
  readonly tags: readonly string[];
}

/** How a write of several documents ended: all written, or none because an id exists, or is held by a document of another owner. */
export type PutOutcome =
  | { readonly kind: 'stored' }
  | { readonly kind: 'exists' | 'owned_by_another'; readonly id: string };

/** A document to derive an index of; with its vector where the embedder of this program made one of the same text. */
export type DerivableDocument = KeyedDocument & { readonly vector?: Float32Array };

/** Makes what is derived of documents, in order. */
export type Derive = (documents: readonly DerivableDocument[]) => Promise<readonly DocumentIndex[]>;

/** How a rebuild is meant. */
export interface RebuildOptions {
  /**
   * Keeps what an earlier rebuild for the same filling had derived when it was cut off, but for documents that changed
   * since; without it everything is derived again.
   */
  readonly resume?: boolean;
  /** Ends it after the batch that is under way. */
  readonly signal?: AbortSignal;
  /** Gets how many of the documents have their new index, at the start or soon after and then after each batch. */
  readonly onProgress?: (progress: RebuildProgress) => void;
}

/** How far a rebuild is. */
export interface RebuildProgress {
  /** How many documents there were when it began. */
  readonly documents: number;
  /** How many of them have their new index. */
  readonly done: number;
}

/** How a rebuild ended: with how many documents in the new index, or by its signal with how many that are done. */
export interface RebuildReport {
  readonly kind: 'complete' | 'interrupted';
  readonly documents: number;
}

/** How a document is removed. */
export interface RemoveOptions {
  /** Whether somebody wants its words gone. */
  readonly isForgotten?: boolean;
}

/**
 * What a store's index is to the program as it is configured: its own; its own or another's, with a rebuild for its own
 * that was cut off; or of no use, since another embedder or version made it or the engine has lost it.
 */
export type IndexState = 'own' | 'unfinished' | 'useless';

/**
 * Where documents are kept. Every method rejects with `ContextloomError`; what a write answered is on disk. `at` is the
 * time of the change, ISO 8601 UTC.
 */
export interface DocumentStore {
  /** The name of its engine, such as `embedded`. */
  readonly kind: string;
  /** Resolves when the store can be used now; rejects with `unavailable` and the reason when it cannot. */
  check(): Promise<void>;
  /** Writes all or none. An id that exists is replaced whole: `created_at` stays, `version` grows by one. */
  put(writes: readonly DocumentWrite[], options: PutOptions): Promise<PutOutcome>;
  /** Replaces a document if it is still at `revision`. */
  replace(revision: string, write: DocumentWrite, options: { at: string }): Promise<StoredRecord | 'stale'>;
  /** Removes a document if it is still at `revision`; for good where it is forgotten: `eraseRemoved` has its bytes erased then. */
  remove(revision: string, options?: RemoveOptions): Promise<'removed' | 'stale'>;
  /** Erases the bytes of what was removed for good, where the engine has files of its own; answers whether there was any. */
  readonly eraseRemoved?: () => Promise<boolean>;
  /** Reads those of the documents that are in the selection, in any order. */
  read(ids: readonly string[], selection: Selection): Promise<readonly StoredRecord[]>;
  /** Searches the selection by words, and by nearness when there is a vector, at most `limit` candidates each. */
  find(
    query: { tokens: QueryTokens; vector: Float32Array | undefined },
    selection: Selection,
    limit: number,
  ): Promise<Hits>;
  list(selection: Selection, page: ListPageRequest): Promise<ListPage>;
  stats(visible: Visibility): Promise<StoreStats>;
  /** How many documents each owner has, in any order. */
  owners(): Promise<readonly OwnerCount[]>;
  /**
   * Gives every document in batches of at most `batch`, in no order: each that is there from the first batch to the last
   * once; one that is added, changed or removed during the scan may or may not be given.
   */
  scan(batch: number): AsyncIterable<readonly ExportedDocument[]>;
  /** Writes all or none as another store had them; an id that exists is replaced, even another owner's. */
  restore(writes: readonly RestoredWrite[]): Promise<void>;
  /**
   * Derives every index again, in batches while other calls go on, which see the old one until the end. Of two at once the later
   * goes on and the earlier rejects with `conflict`; what was derived before a failure is there for the next that resumes.
   */
  rebuild(derive: Derive, options?: RebuildOptions): Promise<RebuildReport>;
  /** Makes the vectors of documents that were stored without one, and answers how many; rejects as `embed` does. */
  embedWaiting(embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>): Promise<number>;
  /**
   * Counts the documents of an owner, and erases them unless it is a dry run: no byte of them is left in files of this machine.
   * Called again after a failure, it goes on.
   */
  forget(owner: string, isDryRun: boolean): Promise<Forgotten>;
  /** Whether the index has to be rebuilt, or a rebuild is unfinished. */
  indexState(): Promise<IndexState>;
  /** How far the rebuild after an update of the program is; undefined when none is running. */
  upgradeProgress(): RebuildProgress | undefined;
  /** Brings the files to rest; all that was acknowledged is durable without it. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
