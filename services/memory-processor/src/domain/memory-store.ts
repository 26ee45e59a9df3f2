import type { DocumentInput, JsonObject } from '@contextloom/contracts';
import type { Retraction } from './retractions/retraction.ts';

/** A memory as the knowledge base keeps it: a document whose id is always known. */
export type MemoryDocument = DocumentInput & { readonly doc_id: string };

/** A memory as a search shows it. */
export type NearMemory = Omit<MemoryDocument, 'keys'>;

/** What is already stored of a transcript. */
export interface RecordedMemory {
  readonly content: string;
  /** Who made it, as its metadata tell. */
  readonly extractor: string | undefined;
  /** How many facts were left out of an episode. */
  readonly leftOut: number;
  /** Whether no facts could be drawn from an episode, or not all. */
  readonly hasFailed: boolean;
  /** The episode that a fact was drawn from. */
  readonly episode: string | undefined;
  /** How many facts were saved with an episode. */
  readonly facts: number | undefined;
  /** The facts that an episode is found by. */
  readonly keys: readonly string[];
  /** The label of its session. */
  readonly session: string | undefined;
  /** Where an episode stands in its session. */
  readonly position: number | undefined;
  /** When it was saved last, ISO 8601 UTC. */
  readonly savedAt: string | undefined;
  /** The import that added it. */
  readonly importId?: string | undefined;
  /** When the call came that brought it, ISO 8601 UTC, if that is its date. */
  readonly calledAt: string | undefined;
  readonly metadata: JsonObject;
}

/** A conversation that is recorded, and the window that it begins with. */
export interface RecordedOpening {
  readonly transcript: string;
  readonly content: string;
  /** Whether a person put it into other words since. */
  readonly isCorrected: boolean;
}

/** Where memories are kept. All methods reject with `ContextloomError`, in words of ours. */
export interface MemoryStore {
  /** Stores memories, all or none; durable once resolved. The same id again replaces. */
  readonly save: (memories: readonly MemoryDocument[]) => Promise<void>;
  /** The memories of one transcript of one user, by id. */
  readonly listRecorded: (userId: string, transcript: string) => Promise<ReadonlyMap<string, RecordedMemory>>;
  /** The conversations of one user that begin with the same first turn, by its hash. */
  readonly listOpenings: (userId: string, head: string) => Promise<readonly RecordedOpening[]>;
  /** The facts of one user that are nearest to a text, of those that are so now; best first, without their keys. */
  readonly findNear: (userId: string, text: string, limit: number) => Promise<readonly NearMemory[]>;
  /** All facts of one user, those too whose place another one has taken. */
  readonly listFacts: (userId: string) => Promise<readonly MemoryDocument[]>;
  /** The decisions about the facts of one user. */
  readonly listDecisions: (userId: string) => Promise<readonly MemoryDocument[]>;
  /** What an import has added for a user: memories, and decisions about them. */
  readonly listImported: (userId: string, importId: string) => Promise<readonly MemoryDocument[]>;
  /** What a person corrected or deleted of what was read for a user. */
  readonly listRetractions: (userId: string) => Promise<readonly Retraction[]>;
  /** One document of a user; undefined when there is none. */
  readonly get: (userId: string, id: string) => Promise<MemoryDocument | undefined>;
  /** Removes memories of one user by id, which another reading may bring back; those that are gone already count as removed. */
  readonly forget: (userId: string, ids: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}
