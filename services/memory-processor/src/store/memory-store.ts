import type { DocumentInput } from '@contextloom/contracts';

/** A memory as the knowledge base keeps it: a document whose id is always known. */
export type MemoryDocument = DocumentInput & { readonly doc_id: string };

/** What is already stored of a transcript. */
export interface RecordedMemory {
  readonly content: string;
  /** Who made it, as its metadata tell. */
  readonly extractor: string | undefined;
  /** How many facts were left out of an episode. */
  readonly leftOut: number;
}

/** Where memories are kept. All methods reject with `ContextloomError`, in words of ours. */
export interface MemoryStore {
  /** Stores memories, all or none; durable once resolved. The same id again replaces. */
  readonly save: (memories: readonly MemoryDocument[]) => Promise<void>;
  /** The memories of one transcript of one user, by id. */
  readonly listRecorded: (userId: string, transcript: string) => Promise<ReadonlyMap<string, RecordedMemory>>;
  readonly close: () => Promise<void>;
}
