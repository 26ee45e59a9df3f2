import { embedEach } from '@contextloom/llm';
import { toOwner } from '../../../domain/documents/isolation.ts';
import { toIndexedText, toWrite } from '../../../domain/indexing/indexing.ts';
import type { DocumentStore, StoredRecord } from '../../../domain/store.ts';
import { everything } from '../index/sync.ts';
import { toRow, WAITING } from '../rows/rows.ts';
import { createRun, follow, type WriterOptions } from './writer.ts';

/** Documents whose vectors are made and written together. */
const BATCH = 32;

/** Builds the function that makes the vectors of documents that were stored while the embedder was out of reach. */
export function createEmbedWaiting(options: WriterOptions): DocumentStore['embedWaiting'] {
  const { rows, index, dimensions } = options;
  const run = createRun(options);
  const write = async (made: readonly (readonly [StoredRecord, Float32Array])[]): Promise<number> => {
    const now = await index.read(
      made.map(([{ document }]) => document.id),
      everything,
    );
    // What changed meanwhile waits by itself, or has its vector.
    const revisions = new Set(now.map(({ revision }) => revision));
    const left = made.filter(([{ revision }]) => revisions.has(revision));
    if (left.length === 0) return 0;
    await rows().upsert(
      left.map(([{ document }, vector]) => toRow(document, vector, { dimensions, before: document })),
    );
    const restored = left.map(([{ document }, vector]) => ({
      ...toWrite(document, toOwner(document.metadata, 'off')),
      document,
      vector,
    }));
    await follow(() => index.restore(restored));
    return left.length;
  };
  return async (embed) => {
    const ids = await rows().list({ [WAITING]: true });
    let count = 0;
    for (let from = 0; from < ids.length; from += BATCH) {
      const waiting = await index.read(ids.slice(from, from + BATCH), everything);
      const vectors = await embedEach(
        waiting.map(({ document }) => toIndexedText(document)),
        embed,
      );
      const made = waiting.flatMap((record, at): (readonly [StoredRecord, Float32Array])[] => {
        const vector = vectors[at];
        return vector === undefined ? [] : [[record, vector]];
      });
      const documents = made.map(([{ document }]) => document.id);
      if (documents.length > 0) count += await run(documents, () => write(made));
    }
    return count;
  };
}
