import { ContextloomError } from '@contextloom/contracts';
import type { DocumentWrite } from '../../../domain/store.ts';
import { isSame, lookUp } from '../reading/lookup.ts';
import type { NewRow, Rows } from '../rows/collection.ts';
import { type RowHistory, type StoredRow, toRow, type Vectored } from '../rows/rows.ts';
import { publish, withdraw } from './publish.ts';
import { INTENT_LEASE_MS } from './write-intents.ts';

/** An intent that is older is not published: others may have taken it for lost. Half of what they wait, in milliseconds. */
const MAX_INTENT_MS = INTENT_LEASE_MS / 2;

/** A row to be written, and the one it replaces. */
export interface Planned {
  readonly write: Vectored;
  readonly before: StoredRow | undefined;
  readonly history: RowHistory;
}

/**
 * The write, with a vector that the store can take: zeros for a document whose vector is made later, since the engine takes no row
 * without one.
 * @throws ContextloomError `internal`
 */
export function checkVector(write: DocumentWrite, dimensions: number): Vectored {
  const { vector, document } = write;
  if (vector === null) return { ...write, vector: new Float32Array(dimensions), isWaiting: true };
  const isUsable = vector?.every(Number.isFinite) ?? true;
  if (vector?.length === dimensions && isUsable) return { ...write, vector, isWaiting: false };
  const found = isUsable ? `${vector?.length ?? 0} dimensions instead of ${dimensions}` : 'a value that is not finite';
  throw new ContextloomError('internal', `a vector of the document "${document.id}" has ${found}`);
}

/** The rows of documents that are written together. */
export function toRows(planned: readonly Planned[], nonce: string, isShown: boolean): readonly NewRow[] {
  const size = planned.length;
  return planned.map(({ write, before, history }) => toRow(write, { nonce, size, before, isShown, history }));
}

const idsOf = (planned: readonly Planned[]): readonly string[] => planned.map(({ write }) => write.document.id);

/**
 * Adds rows that replace none, shown from the start; answers whether no other process had one of their ids. If one had,
 * the rows are taken back: this is the one moment in which readers can see a part of a batch.
 */
export async function addShown(rows: Rows, planned: readonly Planned[], nonce: string): Promise<boolean> {
  const added = toRows(planned, nonce, true);
  await rows.add(added);
  const states = await lookUp(rows, idsOf(planned));
  if ([...states.values()].every(({ live, isDoubled }) => live?.nonce === nonce && !isDoubled)) return true;
  await rows.remove(
    added.map(({ id }) => id),
    { 'doc:batch': nonce },
  );
  return false;
}

/** Adds rows as intents, and publishes them if no other process came between; answers whether none did. */
export async function replaceRows(rows: Rows, planned: readonly Planned[], nonce: string): Promise<boolean> {
  const begunAt = performance.now();
  const intended = toRows(planned, nonce, false);
  await rows.add(intended);
  const states = await lookUp(rows, idsOf(planned));
  const isWon = planned.every(({ write, before }, at) => {
    const { live, intents = [] } = states.get(write.document.id) ?? {};
    return isSame(live, before) && intents.some(({ id, nonce: by }) => id === intended[at]?.id && by === nonce);
  });
  if (!isWon || performance.now() - begunAt > MAX_INTENT_MS) {
    await withdraw(rows, nonce, intended);
    return false;
  }
  await publish(
    rows,
    intended.map(({ id }, at) => {
      const { write, before } = planned[at] ?? {};
      return { id, owner: write?.owner ?? '', replaces: before ?? null };
    }),
  );
  return true;
}
