import { ContextloomError } from '@contextloom/contracts';
import type { DerivableDocument, Derive, DocumentIndex, RebuildOptions } from '../../../domain/store.ts';
import type { NewRow, RowPart, Rows } from './collection.ts';
import { isWaiting, type StoredRow, toRowAnew, toStoredDocument, toStoredRow } from './rows.ts';

/** Rows a step. */
const BATCH = 64;

/** What rows are copied with. */
export interface CopyOptions extends Pick<RebuildOptions, 'signal' | 'onProgress'> {
  readonly derive: Derive;
  readonly dimensions: number;
  /** Whether the vectors of the source are of the same embedder, and stay. */
  readonly keepsVectors: boolean;
  /** Runs before each batch. */
  readonly onBatch: () => Promise<void>;
  /** Runs before each change of the target, which may have been in use for long by now; rejects when it may not be changed. */
  readonly beforeWrite: () => Promise<void>;
}

/** How a copying ended: with how many rows that the source has, or by its signal with how many that were looked at. */
export interface CopyReport {
  readonly kind: 'complete' | 'interrupted';
  readonly rows: number;
}

function toNewRow(row: StoredRow, index: DocumentIndex | undefined, dimensions: number): NewRow {
  const { document: id, head } = row;
  if (index === undefined) throw new ContextloomError('internal', `no index was made of the document "${id}"`);
  if (index.vector.length !== dimensions) {
    const message = `a vector of the document "${id}" has ${index.vector.length} dimensions instead of ${dimensions}`;
    throw new ContextloomError('internal', message);
  }
  const { owner, importance, time } = head;
  const write = {
    document: toStoredDocument(row),
    owner,
    importance: importance ?? undefined,
    time,
    index,
    vector: index.vector,
    isWaiting: false,
  };
  return toRowAnew(row, write);
}

async function readLive(rows: Rows, ids: readonly string[], parts: readonly RowPart[] = []): Promise<StoredRow[]> {
  if (ids.length === 0) return [];
  const found = await rows.get({ ids }, ['metadatas', ...parts]);
  return found.map(toStoredRow).filter(({ state }) => state === 'live');
}

async function listIds(rows: Rows): Promise<readonly string[]> {
  return (await rows.get({}, [])).map(({ id }) => id);
}

function inBatches<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) => items.slice(at * BATCH, (at + 1) * BATCH));
}

/** Brings the target to what the source has of some rows; answers which those are. */
async function copyBatch(
  source: Rows,
  target: Rows,
  ids: readonly string[],
  { derive, dimensions, keepsVectors, beforeWrite }: CopyOptions,
): Promise<readonly StoredRow[]> {
  const rows = await readLive(source, ids, keepsVectors ? ['documents', 'embeddings'] : ['documents']);
  const there = new Map((await readLive(target, ids)).map(({ id, nonce }) => [id, nonce]));
  const wanted = rows.filter(({ id, nonce }) => there.get(id) !== nonce);
  if (wanted.length === 0) return rows;
  const documents = wanted.map(
    (row): DerivableDocument =>
      keepsVectors && !isWaiting(row) ? { ...toStoredDocument(row), vector: row.found.vector } : toStoredDocument(row),
  );
  const indexes = await derive(documents);
  const added = wanted.map((row, at) => toNewRow(row, indexes[at], dimensions));
  const outdated = wanted.filter(({ id }) => there.has(id)).map(({ id }) => id);
  await beforeWrite();
  if (outdated.length > 0) await target.remove(outdated);
  await target.add(added);
  return rows;
}

/** One pass: afterwards the target has every row as it was in the source when the pass came by, and no other. */
export async function copyRows(source: Rows, target: Rows, options: CopyOptions): Promise<CopyReport> {
  const { onBatch, beforeWrite, signal, onProgress } = options;
  const kept = new Set<string>();
  const listed = await listIds(source);
  for (const ids of inBatches(listed)) {
    if (signal?.aborted) return { kind: 'interrupted', rows: kept.size };
    await onBatch();
    for (const { id } of await copyBatch(source, target, ids, options)) kept.add(id);
    onProgress?.({ documents: listed.length, done: kept.size });
  }
  const gone = (await listIds(target)).filter((id) => !kept.has(id));
  for (const ids of inBatches(gone)) {
    await beforeWrite();
    await target.remove(ids);
  }
  return { kind: 'complete', rows: kept.size };
}
