import type { KeyedQueue } from '@contextloom/runtime/scheduling';
import { embedEach } from '../../../domain/indexing/embed-each.ts';
import { toIndexedText } from '../../../domain/indexing/indexing.ts';
import type { DocumentStore } from '../../../domain/store.ts';
import type { Session } from '../connection/session.ts';
import { isSame } from '../reading/lookup.ts';
import type { RowPart, Rows } from '../rows/collection.ts';
import { isWaiting, type StoredRow, toStoredDocument, toStoredRow } from '../rows/rows.ts';

/** Documents whose vectors are made and written together. */
const BATCH = 32;

/** What vectors are made later with. */
export interface EmbedWaitingOptions {
  readonly session: Session;
  /** Writes of one document wait for each other. */
  readonly queue: KeyedQueue;
  /** Whether the rows in use have vectors of this program's embedder. */
  readonly isOwn: () => boolean;
}

/** Those of the rows that are shown and wait. */
async function readWaiting(rows: Rows, ids: readonly string[], parts: readonly RowPart[] = []): Promise<StoredRow[]> {
  const found = (await rows.get({ ids }, ['metadatas', ...parts])).map(toStoredRow);
  return found.filter((row) => row.state === 'live' && isWaiting(row));
}

/** Writes vectors into rows that are still the same, and answers how many. */
async function setVectors(rows: Rows, made: readonly (readonly [StoredRow, Float32Array])[]): Promise<number> {
  const now = await readWaiting(
    rows,
    made.map(([{ id }]) => id),
  );
  // What changed meanwhile is another row, which waits by itself or has its vector.
  const changes = made.filter(([row]) => now.some((one) => isSame(one, row)));
  if (changes.length > 0)
    await rows.setVectors(changes.map(([{ id }, vector]) => ({ id, vector, notes: { 'doc:waiting': false } })));
  return changes.length;
}

/** Builds the function that makes the vectors of documents that were stored while the embedder was out of reach. */
export function createEmbedWaiting({ session, queue, isOwn }: EmbedWaitingOptions): DocumentStore['embedWaiting'] {
  return async (embed) => {
    // Vectors of another embedder are being replaced: those that wait are made with them.
    if (!isOwn()) return 0;
    const found = await session.run((rows) => rows.get({ where: { 'doc:waiting': true } }, []));
    const ids = found.map(({ id }) => id);
    let count = 0;
    for (let from = 0; from < ids.length; from += BATCH) {
      const waiting = await session.run((rows) => readWaiting(rows, ids.slice(from, from + BATCH), ['documents']));
      if (waiting.length === 0) continue;
      const vectors = await embedEach(
        waiting.map((row) => toIndexedText(toStoredDocument(row))),
        embed,
      );
      const made = waiting.flatMap((row, at): (readonly [StoredRow, Float32Array])[] => {
        const vector = vectors[at];
        return vector === undefined ? [] : [[row, vector]];
      });
      const documents = waiting.map(({ document }) => document);
      count += await queue(documents, () => session.write((rows) => setVectors(rows, made)));
    }
    return count;
  };
}
