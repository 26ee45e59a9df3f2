import type {
  DocumentInput,
  DocumentPatch,
  ListRequest,
  ListResponse,
  SearchRequest,
  SearchResult,
  Stats,
  StoredDocument,
  StoreHealth,
} from '@contextloom/contracts';

/** A document by its id, on behalf of a user; without `userId` only documents of no user are reachable. */
export interface DocumentAddress {
  readonly id: string;
  readonly userId?: string | undefined;
  /** Acts only while the document is at this version, else `precondition_failed`. */
  readonly version?: number | undefined;
}

/** Whether documents are kept apart by user: `off` gives every call every document. */
export type Isolation = 'strict' | 'off';

/**
 * The knowledge base as its doors (HTTP routes, MCP tools) see it. Two adapters: the local one over a document store, and
 * an HTTP client of another process. All methods reject with `ContextloomError`.
 */
export interface KnowledgeBase {
  /** Stores documents, all or none, and answers their ids in order; durable once resolved. */
  add(documents: readonly DocumentInput[]): Promise<readonly string[]>;
  search(request: SearchRequest): Promise<readonly SearchResult[]>;
  list(request: ListRequest): Promise<Omit<ListResponse, 'success'>>;
  get(address: DocumentAddress): Promise<StoredDocument>;
  update(address: DocumentAddress, patch: DocumentPatch): Promise<StoredDocument>;
  delete(address: DocumentAddress): Promise<void>;
  stats(userId?: string): Promise<Stats>;
  /** Tells within seconds whether the store can be used now; an answer may be a second old. */
  health(): Promise<StoreHealth>;
  /** Makes sure that all that was acknowledged is on disk. */
  save(): Promise<void>;
  /** Makes every derived index anew from the stored rows; answers how many documents there are. */
  rebuildIndex(): Promise<number>;
  close(): Promise<void>;
}
