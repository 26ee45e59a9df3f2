import type { Forgotten } from '@contextloom/contracts';
import type { ArbitrationAction, ContentType } from '@contextloom/contracts/project-memory';
import type { QueryTokens } from '@contextloom/retrieval/ranking';
import type { LinkStore } from './links.ts';
import type { Arbitration, Memory, MemoryContent, MemoryVersion, Project, Verdict } from './memory.ts';
import type { ProjectFilter, Reach } from './project.ts';
import type { TransferStore } from './transfer/lines.ts';

/** What a reading is about: always within one reach. */
export interface Selection extends Reach {
  readonly project?: ProjectFilter | undefined;
  readonly contentType?: ContentType | undefined;
  /** Memories as they were just before this Unix time, in seconds; as they are without it. */
  readonly before?: number | undefined;
}

/** A project as an ingest names it. */
export interface ProjectOrigin {
  readonly ownerId: string;
  readonly key: string;
  readonly name?: string | undefined;
  readonly machineName?: string | undefined;
  readonly path?: string | undefined;
}

/** A stored memory that a new one may be about the same subject as. */
export interface Candidate {
  readonly id: string;
  readonly revision: number;
  readonly contentType: ContentType;
  readonly summary: string;
  /** Cosine of the two memories' vectors. */
  readonly similarity: number;
}

/** One memory to store. */
export interface IngestChange {
  readonly project: ProjectOrigin;
  /** The id of the memory if it becomes one of its own. */
  readonly newId: string;
  readonly content: MemoryContent;
  /** The memory that the caller says this one replaces: no other memory is looked up, and the arbiter is not called. */
  readonly replaces?: string | undefined;
  /** From this cosine on, a stored memory must be ruled on; 0 to 1. */
  readonly threshold: number;
  /** The verdict on near memories when there is no arbiter to ask. */
  readonly otherwise?: Verdict | undefined;
  /** What was nearest when it was decided, and what was decided; absent while no near memory is known. */
  readonly ruling?: { readonly candidate: Candidate; readonly verdict: Verdict } | undefined;
}

/**
 * What came of a change; `stale`: nothing was stored, since `nearest` is near and was not ruled on, or what was ruled on is not
 * near. `candidates` are near, and no model ruled on them. A text that is stored already is `skipped`, or `updated` when its
 * type is another, without a ruling.
 */
export type IngestOutcome =
  | {
      readonly status: 'created';
      readonly id: string;
      readonly ts: number;
      readonly candidates: readonly Candidate[];
    }
  | { readonly status: 'updated'; readonly id: string; readonly ts: number }
  | { readonly status: 'skipped'; readonly id: string; readonly ts: number }
  | { readonly status: 'stale'; readonly nearest: Candidate | undefined };

/** A fragment that a search came upon. */
export interface FragmentHit {
  readonly memoryId: string;
  readonly chunkIndex: number;
  /** Its score by words; absent among hits by vector. */
  readonly words?: number;
}

/** What a search shows of a memory. */
export interface Passage {
  readonly memoryId: string;
  readonly chunkIndex: number;
  readonly totalChunks: number;
  readonly contentType: ContentType;
  readonly ts: number;
  /** The fragment's text. */
  readonly content: string;
  /** Absent where it waits for one, and where vectors were not requested. */
  readonly vector?: Float32Array | undefined;
}

/** Which part of a timeline: without an offset its beginning, without an order the newest first. */
export interface TimelinePage {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly order?: 'newest' | 'oldest' | undefined;
}

/** A memory of a timeline. */
export type TimelineEntry = Omit<Memory, 'content' | 'tags'>;

/** Which arbitrations are meant. */
export interface ArbitrationQuery extends Selection {
  /** A memory on either side. */
  readonly memoryId?: string | undefined;
  readonly limit: number;
}

/** An arbitration to undo. */
export interface RollbackChange extends Reach {
  readonly arbitrationId: number;
  /** What a text that was skipped becomes: a memory of its own. */
  readonly skipped?: { readonly newId: string; readonly content: MemoryContent } | undefined;
}

/** A text as a caller sent it. */
export interface SkippedText {
  readonly contentType: ContentType;
  readonly content: string;
  readonly ts: number;
  /** When it is forgotten, in epoch milliseconds. */
  readonly endsAt?: number | null | undefined;
}

/** What a rollback did: an earlier state is present again, or a skipped text is a memory of its own. */
export interface RollbackOutcome {
  readonly id: string;
  readonly status: 'restored' | 'created';
}

/** A fragment, of a present or an earlier state, that has no vector yet. */
export interface PendingFragment {
  readonly id: string;
  readonly ownerId: string;
  readonly content: string;
}

/** What an inspection found. */
export interface StoreReport {
  readonly projects: number;
  readonly memories: number;
  readonly fragments: number;
  readonly versions: number;
  readonly arbitrations: number;
  /** Memories that wait for their vectors. */
  readonly pending: number;
  /** Memories whose fragments, or those of their versions, are not those of the text, or not all of them. */
  readonly torn: readonly string[];
  /** Memories whose chain of versions has gaps. */
  readonly broken: readonly string[];
}

/** How much is stored of one owner. */
export interface OwnerCounts {
  readonly projects: number;
  /** By project and type, the largest groups first. */
  readonly memories: readonly {
    readonly projectKey: string;
    readonly contentType: ContentType;
    readonly count: number;
  }[];
  readonly fragments: number;
  /** Memories that wait for their vectors. */
  readonly pending: number;
  readonly versions: number;
  readonly links: number;
  readonly arbitrations: readonly { readonly action: ArbitrationAction; readonly count: number }[];
}

/** How much is stored of all owners but one. */
export interface OtherOwners {
  readonly memories: number;
  readonly owners: number;
}

/** Where memories are kept. Every method sees the rows of one reach alone, but for those of upkeep. */
export interface MemoryStore extends LinkStore, TransferStore {
  /** All or nothing; what it answers is durable. */
  readonly commit: (change: IngestChange) => Promise<IngestOutcome>;
  /** Deletes a memory, whose last state becomes a version; `false` where there is none. */
  readonly remove: (reach: Reach, id: string) => Promise<boolean>;
  /** Fragments by cosine, best first. */
  readonly findByVector: (selection: Selection, vector: Float32Array, limit: number) => Promise<readonly FragmentHit[]>;
  /** Fragments by their words, best first. */
  readonly findByWords: (selection: Selection, tokens: QueryTokens, limit: number) => Promise<readonly FragmentHit[]>;
  readonly readPassages: (
    selection: Selection,
    hits: readonly FragmentHit[],
    withVectors: boolean,
  ) => Promise<readonly Passage[]>;
  /** The memories that exist, in no particular order. */
  readonly get: (selection: Selection, ids: readonly string[]) => Promise<readonly Memory[]>;
  /** The ids that begin with one of these, each of twelve characters. */
  readonly findIds: (reach: Reach, beginnings: readonly string[]) => Promise<readonly string[]>;
  /** From `since` (Unix seconds) on. */
  readonly timeline: (selection: Selection, since: number, page: TimelinePage) => Promise<readonly TimelineEntry[]>;
  readonly projects: (reach: Reach, limit: number) => Promise<readonly Project[]>;
  readonly counts: (reach: Reach) => Promise<OwnerCounts>;
  /** What there is of all other owners. */
  readonly others: (reach: Reach) => Promise<OtherOwners>;
  /** The present one first; empty for an unknown memory. */
  readonly versions: (reach: Reach, id: string) => Promise<readonly MemoryVersion[]>;
  /** Newest first. */
  readonly arbitrations: (query: ArbitrationQuery) => Promise<readonly Arbitration[]>;
  /** The text that an arbitration left out; undefined if it left none out. */
  readonly skippedText: (reach: Reach, arbitrationId: number) => Promise<SkippedText | undefined>;
  /** @throws ContextloomError `not_found`, or `conflict` when there is nothing to undo */
  readonly rollback: (change: RollbackChange) => Promise<RollbackOutcome>;
  /** Fragments of an owner that wait for a vector. */
  readonly pending: (ownerId: string, limit: number) => Promise<readonly PendingFragment[]>;
  /** Stores vectors of fragments that are still the same, and those of memories that are complete by it. */
  readonly addEmbeddings: (
    embedded: readonly (PendingFragment & { readonly embedding: Float32Array })[],
  ) => Promise<void>;
  readonly inspect: () => Promise<StoreReport>;
  /**
   * Counts what there is of an owner, and erases it unless it is a dry run: no byte of it is left in the files but what the answer names.
   * @throws ContextloomError `unavailable` or `no_space`; called again, it goes on
   */
  readonly forget: (ownerId: string, isDryRun: boolean) => Promise<Forgotten>;
  /** Whether something of an owner has ended by then, in epoch milliseconds. */
  readonly hasEnded: (reach: Reach, now: number) => Promise<boolean>;
  /** Erases memories that have ended by then with their versions, links and verdicts; a receipt of each stays, without words. */
  readonly forgetEnded: (ownerId: string, now: number) => Promise<void>;
  /** Erases the bytes of these from the files that are the store's own; answers whether there were any. */
  readonly eraseDeleted: () => Promise<boolean>;
  /** Writes the fragments of a memory again, and those of its versions. */
  readonly rewriteFragments: (id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}
