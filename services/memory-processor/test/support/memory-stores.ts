import { ContextloomError } from '@contextloom/contracts';
import type { MemoryDocument, MemoryStore } from '../../src/store/memory-store.ts';

/** A memory store in the test's own memory, and how it was used. */
export interface KeptMemories extends MemoryStore {
  readonly documents: Map<string, MemoryDocument>;
  /** How many memories each batch had. */
  readonly batches: number[];
}

/** The port, kept in a map; a save fails, keeping nothing, after `failAfter` batches. */
export function createKeptMemories({ failAfter = Number.POSITIVE_INFINITY } = {}): KeptMemories {
  const documents = new Map<string, MemoryDocument>();
  const batches: number[] = [];
  return {
    documents,
    batches,
    save: async (memories) => {
      if (batches.length >= failAfter) throw new ContextloomError('unavailable', 'the knowledge base went away');
      for (const memory of memories) documents.set(memory.doc_id, memory);
      batches.push(memories.length);
    },
    listRecorded: async (userId, transcript) =>
      new Map(
        [...documents.values()]
          .filter(({ metadata }) => metadata['user_id'] === userId && metadata['transcript'] === transcript)
          .map(({ doc_id, content, metadata }) => {
            const { extractor, left_out: leftOut = 0 } = metadata;
            return [doc_id, { content, extractor: String(extractor), leftOut: Number(leftOut) }];
          }),
      ),
    close: async () => undefined,
  };
}
