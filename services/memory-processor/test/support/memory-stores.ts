import { ContextloomError, RETRACTION_TAG, readRetraction } from '@contextloom/contracts';
import { tokenize } from '@contextloom/retrieval';
import type { MemoryDocument, MemoryStore } from '../../src/domain/memory-store.ts';
import { parseRetraction } from '../../src/domain/retractions/retraction.ts';
import { toRecorded } from '../../src/store/knowledge-base-store.ts';

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
          .filter(({ metadata, tags }) => {
            const isOwn = metadata['user_id'] === userId && metadata['transcript'] === transcript;
            return isOwn && !tags.includes(RETRACTION_TAG);
          })
          .map(({ doc_id, content, metadata = {}, keys }) => [
            doc_id,
            toRecorded({ content, metadata, ...(keys !== undefined && { keys }) }),
          ]),
      ),
    listOpenings: async (userId, head) =>
      [...documents.values()]
        .filter(({ metadata }) => metadata['user_id'] === userId && metadata['head'] === head)
        .map(({ content, metadata }) => ({
          content,
          transcript: String(metadata['transcript']),
          isCorrected: readRetraction(metadata) !== undefined,
        })),
    findNear: async (userId, text, limit) => {
      const terms = new Set(tokenize(text).terms);
      const shared = ({ content }: MemoryDocument) => tokenize(content).terms.filter((term) => terms.has(term)).length;
      const facts = [...documents.values()].filter(
        ({ metadata, tags }) => metadata['user_id'] === userId && tags.includes('memory') && !tags.includes('episode'),
      );
      const nearest = facts.sort((a, b) => shared(b) - shared(a)).slice(0, limit);
      return nearest.map(({ keys: _keys, ...memory }) => memory);
    },
    listFacts: async (userId) =>
      [...documents.values()].filter(
        ({ metadata, tags }) =>
          metadata['user_id'] === userId && !tags.includes('episode') && !tags.includes('decision'),
      ),
    listDecisions: async (userId) =>
      [...documents.values()].filter(
        ({ metadata, tags }) => metadata['user_id'] === userId && tags.includes('decision'),
      ),
    listImported: async (userId, importId) =>
      [...documents.values()].filter(
        ({ metadata }) => metadata['user_id'] === userId && metadata['import'] === importId,
      ),
    listRetractions: async (userId) =>
      [...documents.values()]
        .filter(({ metadata }) => metadata['user_id'] === userId)
        .flatMap(({ doc_id, metadata }) => parseRetraction(doc_id, metadata) ?? []),
    get: async (userId, id) => {
      const found = documents.get(id);
      return found?.metadata['user_id'] === userId ? found : undefined;
    },
    forget: async (userId, ids) => {
      for (const id of ids) {
        if (documents.get(id)?.metadata['user_id'] === userId) documents.delete(id);
      }
    },
    close: async () => undefined,
  };
}
