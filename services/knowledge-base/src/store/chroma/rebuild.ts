import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError, type Document } from '@contextloom/contracts';
import type { DocumentIndex, DocumentStore } from '../store.ts';
import type { Catalog, Generation } from './catalog.ts';
import type { NewRow, Rows } from './collection.ts';
import { isGone } from './errors.ts';
import { type HeldRow, toHeldRow, toRowAnew, toStoredDocument } from './rows.ts';
import { CATALOG_SETTLES_MS } from './session.ts';

/** Rows a step. */
const BATCH = 64;

type Derive = Parameters<DocumentStore['rebuild']>[0];

/** What a rebuilding works with. */
export interface RebuildOptions {
  readonly catalog: Catalog;
  readonly dimensions: number;
}

function toNewRow(row: HeldRow, index: DocumentIndex | undefined, dimensions: number): NewRow {
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
  };
  return toRowAnew(row, write);
}

async function readLive(rows: Rows, ids: readonly string[], parts: readonly 'documents'[] = []): Promise<HeldRow[]> {
  if (ids.length === 0) return [];
  const found = await rows.get({ ids }, ['metadatas', ...parts]);
  return found.map(toHeldRow).filter(({ state }) => state === 'live');
}

async function listIds(rows: Rows): Promise<readonly string[]> {
  return (await rows.get({}, [])).map(({ id }) => id);
}

function inBatches<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) => items.slice(at * BATCH, (at + 1) * BATCH));
}

/** One pass: afterwards the target has every row as it was in the source when the pass came by; answers how many. */
async function copyPass(
  source: Rows,
  target: Rows,
  { derive, dimensions, onBatch }: { derive: Derive; dimensions: number; onBatch: () => Promise<void> },
): Promise<number> {
  const kept = new Set<string>();
  for (const ids of inBatches(await listIds(source))) {
    await onBatch();
    const rows = await readLive(source, ids, ['documents']);
    const there = new Map((await readLive(target, ids)).map(({ id, nonce }) => [id, nonce]));
    const wanted = rows.filter(({ id, nonce }) => there.get(id) !== nonce);
    const outdated = wanted.filter(({ id }) => there.has(id)).map(({ id }) => id);
    if (outdated.length > 0) await target.remove(outdated);
    if (wanted.length > 0) {
      const documents: readonly Document[] = wanted.map((row) => {
        const { id, content, tags, metadata } = toStoredDocument(row);
        return { id, content, tags, metadata };
      });
      const indexes = await derive(documents);
      await target.add(wanted.map((row, at) => toNewRow(row, indexes[at], dimensions)));
    }
    for (const { id } of rows) kept.add(id);
  }
  const gone = (await listIds(target)).filter((id) => !kept.has(id));
  for (const ids of inBatches(gone)) await target.remove(ids);
  return kept.size;
}

const lostTurn = (): ContextloomError =>
  new ContextloomError('conflict', 'the index is being rebuilt by another call, which goes on');

/** Takes the turn: a rebuilding that was under way, or was cut off, ends with its unfinished generation. */
async function begin(catalog: Catalog): Promise<{ source: Generation; target: Generation }> {
  const target = await catalog.make();
  const { current, next } = await catalog.read();
  await catalog.write({ current, next: target.name, closing: '' });
  if (next !== '') await catalog.drop(next);
  return { source: await catalog.open(current), target };
}

/**
 * Builds the function that derives every index anew, in a generation of its own that then takes the place of the one in
 * use, so that a rebuilding which is cut off leaves the store as useful as it was.
 */
export function createRebuild({ catalog, dimensions }: RebuildOptions): DocumentStore['rebuild'] {
  return async (derive) => {
    const { source, target } = await begin(catalog);
    let beat = 0;
    const checkTurn = async (): Promise<void> => {
      if ((await catalog.read()).next !== target.name) throw lostTurn();
    };
    const showClosing = async (): Promise<void> => {
      await checkTurn();
      beat += 1;
      await catalog.write({ current: source.name, next: target.name, closing: `${target.name} ${beat}` });
    };
    const pass = (onBatch: () => Promise<void>) => copyPass(source.rows, target.rows, { derive, dimensions, onBatch });
    try {
      await pass(checkTurn);
      await pass(checkTurn);
      await showClosing();
      await sleep(CATALOG_SETTLES_MS);
      const count = await pass(showClosing);
      await showClosing();
      await catalog.write({ current: target.name, next: '', closing: '' });
      await catalog.drop(source.name);
      return count;
    } catch (error) {
      const { current, next } = await catalog.read();
      if (next !== target.name) throw isGone(error) ? lostTurn() : error;
      await catalog.write({ current, next: '', closing: '' });
      await catalog.drop(target.name);
      throw error;
    }
  };
}
