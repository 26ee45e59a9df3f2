import { z } from 'zod';
import { type Consequence, FOLLOW_CHANGE, type FollowRequest, followChangeContract } from './derivations.ts';
import {
  addManyResponseSchema,
  addResponseSchema,
  changedResponseSchema,
  type DocumentInput,
  type DocumentPatch,
  deletedResponseSchema,
  documentInputSchema,
  documentPatchSchema,
  documentResponseSchema,
  type ListRequest,
  type ListResponse,
  listRequestSchema,
  listResponseSchema,
  MAX_BATCH,
  type SearchRequest,
  type SearchResult,
  type Stats,
  type StoredDocument,
  type StoreHealth,
  searchRequestSchema,
  searchResponseSchema,
  statsResponseSchema,
} from './documents.ts';
import { withoutNulls } from './parse.ts';
import type { UserStore } from './user-store.ts';
import { identifier, userIdSchema } from './values/identifiers.ts';

/** Which document an operation is about, and for whom it is called. */
const addressFields = {
  doc_id: identifier('Id of the document.'),
  user_id: userIdSchema.optional().describe('The user whose document it is; without it only documents of no user.'),
};

/** The version that a change expects. */
const versionField = {
  version: z.number().int().optional().describe('Act only while the document is at this version.'),
};

/** What the operations of the knowledge base take and answer. */
export const knowledgeBase = {
  add_document: { input: documentInputSchema, output: addResponseSchema },
  search_documents: { input: searchRequestSchema, output: searchResponseSchema },
  get_stats: {
    input: z.object({
      user_id: userIdSchema
        .optional()
        .describe('The user whose documents to count; without it only documents of no user.'),
    }),
    output: statsResponseSchema,
  },
  add_documents: {
    input: z.object({
      documents: z
        .array(z.preprocess(withoutNulls, documentInputSchema))
        .max(MAX_BATCH, `must be at most ${MAX_BATCH} documents`)
        .describe(`The documents, at most ${MAX_BATCH}.`),
    }),
    output: addManyResponseSchema,
  },
  get_document: { input: z.object(addressFields), output: documentResponseSchema },
  update_document: {
    input: z.object({ ...addressFields, ...documentPatchSchema.shape, ...versionField }),
    output: changedResponseSchema,
  },
  delete_document: {
    input: z.object({
      ...addressFields,
      ...versionField,
      retract: z
        .boolean()
        .default(true)
        .describe('Whether a mark without its words keeps later readings from bringing it back, if it was read.'),
    }),
    output: deletedResponseSchema,
  },
  list_documents: { input: listRequestSchema, output: listResponseSchema },
  [FOLLOW_CHANGE]: followChangeContract,
} as const;
/** One of {@link knowledgeBase}. */
export type KnowledgeBaseContract = typeof knowledgeBase;

/** A document by its id, on behalf of a user; without `userId` only documents of no user are reachable. */
export interface DocumentAddress {
  readonly id: string;
  readonly userId?: string | undefined;
  /** Acts only while the document is at this version, else `precondition_failed`. */
  readonly version?: number | undefined;
  /** Whether the document must be that user's own; a document without an owner counts as missing. */
  readonly isOwn?: boolean;
}

/** How a document is deleted. */
export interface DeleteOptions {
  /** Whether later readings of the conversation that it was read in leave it out too; so it is unless this says otherwise. */
  readonly retract?: boolean | undefined;
}

/** A document as it is after a change, and what followed from that. */
export interface ChangedDocument extends StoredDocument {
  readonly consequences?: readonly Consequence[] | undefined;
}

/** What a search found, best first. */
export interface FoundDocuments {
  readonly results: readonly SearchResult[];
  /** Where nothing fits a query: how near the best document was, in [0,1]. */
  readonly nearest_score?: number | undefined;
  /** How sure it is that any of what was found answers, 0 to 1. */
  readonly confidence?: number | undefined;
}

/** The knowledge base as its clients see it, over HTTP or MCP alike. All methods reject with `ContextloomError`. */
export interface KnowledgeClient {
  /** Stores documents, all or none, and answers their ids in order; durable once resolved. */
  add(documents: readonly DocumentInput[]): Promise<readonly string[]>;
  search(request: SearchRequest): Promise<readonly SearchResult[]>;
  /** As `search`, and where nothing fits a query how near the best document was. */
  find(request: SearchRequest): Promise<FoundDocuments>;
  list(request: ListRequest): Promise<Omit<ListResponse, 'success'>>;
  get(address: DocumentAddress): Promise<StoredDocument>;
  update(address: DocumentAddress, patch: DocumentPatch): Promise<ChangedDocument>;
  /** Of a document that was read in a conversation a mark stays, without its words. Answers what followed from it. */
  delete(address: DocumentAddress, options?: DeleteOptions): Promise<readonly Consequence[]>;
  /** Counts the documents of this user, or of no user; without isolation all. */
  stats(userId?: string): Promise<Stats>;
  close(): Promise<void>;
}

/** The knowledge base as its own entry points (HTTP routes, MCP tools) see it: in this process, or over the HTTP service. */
export interface KnowledgeBase extends KnowledgeClient, UserStore {
  /** Tells within seconds whether the store can be used now; an answer may be a second old. */
  health(): Promise<StoreHealth>;
  /** Makes sure that all that was acknowledged is on disk. */
  save(): Promise<void>;
  /** Follows a change of memories, here or in other stores, to the documents that were drawn from them. */
  follow(request: FollowRequest): Promise<readonly Consequence[]>;
  /** Builds every derived index again from the stored rows; answers how many documents there are. */
  rebuildIndex(): Promise<number>;
}
