import { ContextloomError, type StoredDocument } from '@contextloom/contracts';
import { always } from '@contextloom/retrieval/filter';
import { toOwner } from '../documents/isolation.ts';
import type { DocumentStore, ExportedDocument, RestoredWrite, Selection } from '../store.ts';
import { toWrite } from './indexing.ts';

/** Documents per step. */
const BATCH = 200;
/** How often the source is scanned until the target has all of it: each pass copies what changed during the one before. */
const MAX_PASSES = 5;

const everything: Selection = { visible: { kind: 'everyone' }, condition: always };

/** How far a migration is: the documents of the source compared in this pass, and written in all passes. */
export interface MigrationProgress {
  readonly pass: number;
  readonly documents: number;
  readonly copied: number;
}

/** How a migration ended. */
export interface MigrationReport {
  readonly kind: 'complete' | 'interrupted';
  /** The documents of the source. */
  readonly documents: number;
  /** How many of them were written. */
  readonly copied: number;
  /** Documents of the target that the source lacks; they stay. */
  readonly others: number;
}

/** Options of a migration between two stores that the same embedder fills. */
export interface MigrationOptions {
  readonly source: Pick<DocumentStore, 'scan'>;
  readonly target: Pick<DocumentStore, 'read' | 'restore' | 'stats'>;
  readonly onProgress: (progress: MigrationProgress) => void;
  /** Ends the migration after the batch that is under way. */
  readonly signal: AbortSignal;
  /**
   * Which vectors go along: `all`, where each document must have its; `present`, where some wait for theirs; or `none`, where the target
   * has other ones made.
   */
  readonly vectors?: 'all' | 'present' | 'none' | undefined;
  /** Whether a document that the target has in a newer state stays as it is there. */
  readonly keepsNewer?: boolean;
}

function toText(document: StoredDocument): string {
  const { id, content, tags, metadata, keys = [], version, created_at, updated_at } = document;
  return JSON.stringify([id, content, tags, metadata, keys, version, created_at, updated_at]);
}

function toRestored({ document, vector }: ExportedDocument, vectors: MigrationOptions['vectors']): RestoredWrite {
  if (vector === undefined && vectors !== 'present' && vectors !== 'none') {
    const message = `the document "${document.id}" waits for its vector: start the service with its embedding model, and migrate when get_stats counts none that waits`;
    throw new ContextloomError('unavailable', message);
  }
  const kept = vectors === 'none' ? null : (vector ?? null);
  return { ...toWrite(document, toOwner(document.metadata, 'off')), document, vector: kept };
}

/** Writes documents; in halves when the target refuses so many at once. */
async function restore(
  { target, vectors }: Pick<MigrationOptions, 'target' | 'vectors'>,
  documents: readonly ExportedDocument[],
): Promise<void> {
  try {
    await target.restore(documents.map((one) => toRestored(one, vectors)));
  } catch (error) {
    const isTooMuch = error instanceof ContextloomError && error.code === 'too_large';
    if (!isTooMuch || documents.length < 2) throw error;
    const half = documents.length >> 1;
    await restore({ target, vectors }, documents.slice(0, half));
    await restore({ target, vectors }, documents.slice(half));
  }
}

/** The documents that the target lacks or has in another state. */
async function findDiffering(
  { target, keepsNewer = false }: Pick<MigrationOptions, 'target' | 'keepsNewer'>,
  batch: readonly ExportedDocument[],
) {
  const there = await target.read(
    batch.map(({ document }) => document.id),
    everything,
  );
  const known = new Map(there.map(({ document }) => [document.id, document]));
  return batch.filter(({ document }) => {
    const other = known.get(document.id);
    if (other === undefined) return true;
    return toText(other) !== toText(document) && !(keepsNewer && other.updated_at > document.updated_at);
  });
}

/**
 * Copies all documents of one store into another, unchanged and with their vectors. It reads back what it wrote and scans the
 * source until nothing is left to write. It skips what the target has already, so that an interrupted migration goes on when it
 * is run again.
 * @throws ContextloomError `conflict` when the source is written to faster than it can be copied
 */
export async function migrate(options: MigrationOptions): Promise<MigrationReport> {
  const { source, target, onProgress, signal } = options;
  let copied = 0;
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    let documents = 0;
    const before = copied;
    for await (const batch of source.scan(BATCH)) {
      if (signal.aborted) return { kind: 'interrupted', documents, copied, others: 0 };
      const differing = await findDiffering(options, batch);
      if (differing.length > 0) await restore(options, differing);
      documents += batch.length;
      copied += differing.length;
      onProgress({ pass, documents, copied });
    }
    if (copied === before) {
      const stats = await target.stats(everything.visible);
      return { kind: 'complete', documents, copied, others: stats.documents - documents };
    }
  }
  const message = 'documents are being written to the store that is copied: stop what writes there, and run this again';
  throw new ContextloomError('conflict', message);
}
