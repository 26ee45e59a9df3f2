import { setTimeout as sleep } from 'node:timers/promises';
import { isContextloomError } from '@contextloom/contracts';
import type { DocumentStore } from '../../../domain/store.ts';
import type { Gate } from '../connection/gate.ts';
import type { Catalog, EarlierForm, PlainForm } from '../rows/catalog.ts';
import type { NewRow, Rows } from '../rows/collection.ts';
import { toRowSource } from '../rows/row-source.ts';
import { parseRow, toRow, toState, WAITING } from '../rows/rows.ts';

/** Rows a request. */
const BATCH = 200;
/** How often all documents are looked through before writes have to wait for the last look. */
const MAX_PASSES = 4;

/** What a collection is made of anew. */
export interface PublishOptions {
  readonly catalog: Catalog;
  readonly index: DocumentStore;
  readonly gate: Gate;
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Makes sure that this process is the writer. */
  readonly hold: () => Promise<void>;
  /** What the new collection takes the place of. */
  readonly replaced: EarlierForm | PlainForm;
  /** Runs before the last look. */
  readonly beforeLast?: () => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** Writes rows; in halves when the server refuses so many at once. */
async function upsert(rows: Rows, some: readonly NewRow[]): Promise<void> {
  try {
    await rows.upsert(some);
  } catch (error) {
    if (!isContextloomError(error) || error.code !== 'too_large' || some.length < 2) throw error;
    const half = some.length >> 1;
    await upsert(rows, some.slice(0, half));
    await upsert(rows, some.slice(half));
  }
}

/** Brings the rows of a collection that nobody uses yet to what the index says; answers how many were not so. */
async function copy(rows: Rows, known: Map<string, string>, options: PublishOptions): Promise<number> {
  const { index, dimensions, hold, signal } = options;
  const seen = new Set<string>();
  let count = 0;
  for await (const batch of index.scan(BATCH)) {
    if (signal?.aborted) return count;
    await hold();
    const changed = batch.filter(({ document, vector }) => {
      seen.add(document.id);
      return known.get(document.id) !== toKnown(document, vector === undefined);
    });
    if (changed.length === 0) continue;
    // Over a row that is there, keys would stay that the document has lost.
    await rows.remove(changed.flatMap(({ document: { id } }) => (known.has(id) ? [id] : [])));
    await upsert(
      rows,
      changed.map(({ document, vector }) => toRow(document, vector ?? null, { dimensions })),
    );
    for (const { document, vector } of changed) known.set(document.id, toKnown(document, vector === undefined));
    count += changed.length;
  }
  const gone = [...known.keys()].filter((id) => !seen.has(id));
  await rows.remove(gone);
  for (const id of gone) known.delete(id);
  return count + gone.length;
}

const toKnown = (document: Parameters<typeof toState>[0], isWaiting: boolean): string =>
  `${toState(document)} ${isWaiting}`;

/**
 * Makes a collection of all that the index has, and lets it take the place of the one in use. What was made before this was cut
 * off stays. Answers undefined when its signal ended it.
 */
export async function publish(options: PublishOptions): Promise<PlainForm | undefined> {
  const { catalog, gate, fingerprint, replaced, beforeLast, signal } = options;
  const { rows } = await catalog.openNext(fingerprint);
  const reading = { parse: parseRow, waitingKey: WAITING, hasOwnVectors: true };
  const { states } = await toRowSource(rows, reading).readStates();
  const known = new Map([...states].map(([id, { state, isWaiting }]) => [id, `${state} ${isWaiting}`]));
  for (let pass = 0; pass < MAX_PASSES && !signal?.aborted; pass += 1) {
    if ((await copy(rows, known, options)) === 0) break;
  }
  if (!signal?.aborted) await beforeLast?.();
  return gate.alone(async () => {
    await copy(rows, known, options);
    if (signal?.aborted) return undefined;
    await options.hold();
    return catalog.swap(replaced);
  });
}

/** Keeps programs of the earlier version, which know no lease, from acknowledging a write that would be lost. */
export async function closeEarlier(
  { catalog, documents }: EarlierForm,
  { id, waitMs }: { readonly id: string; readonly waitMs: number },
): Promise<void> {
  await catalog.setNotes({ current: documents.name, closing: id });
  await sleep(waitMs);
}
