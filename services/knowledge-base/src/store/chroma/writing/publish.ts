import { setTimeout as sleep } from 'node:timers/promises';
import { isSame } from '../reading/lookup.ts';
import type { NewRow, Rows } from '../rows/collection.ts';
import { type RowKey, type StoredRow, toStoredRow } from '../rows/rows.ts';
import type { WriteIntents } from './write-intents.ts';

/** How often an intent is looked at again, in milliseconds. */
const LOOK_MS = 50;

/** A row to be shown, and the one that it replaces. */
export interface Publication {
  readonly id: string;
  readonly owner: string;
  readonly replaces: RowKey | null;
}

/** Shows rows and hides those they replace in one request, so that no reader ever sees both or neither. */
export async function publish(rows: Rows, publications: readonly Publication[]): Promise<void> {
  const replaced = publications.flatMap(({ replaces }) => (replaces === null ? [] : [replaces.id]));
  await rows.mark([
    ...publications.map(({ id, owner }) => ({ id, notes: { 'doc:owner': owner } })),
    ...replaced.map((id) => ({ id, notes: { 'doc:owner': '', 'doc:dead': true } })),
  ]);
  await removeDead(rows, replaced);
}

/** Removes those of the rows that are dead: a slot may hold a living row by now. */
export async function removeDead(rows: Rows, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await rows.remove(ids, { 'doc:dead': true });
}

/** Rolls intents back, unless they were published. */
export async function withdraw(rows: Rows, nonce: string, intended: readonly Pick<NewRow, 'id'>[]): Promise<void> {
  const ids = intended.map(({ id }) => id);
  if (ids.length > 0) await rows.remove(ids, { $and: [{ 'doc:batch': nonce }, { 'doc:owner': '' }] });
}

/** Whether the rows that intents replace are still there and shown. */
export async function canPublish(rows: Rows, publications: readonly Publication[]): Promise<boolean> {
  const replaced = publications.flatMap(({ replaces }) => (replaces === null ? [] : [replaces]));
  if (replaced.length === 0) return true;
  const found = (await rows.get({ ids: replaced.map(({ id }) => id) }, ['metadatas'])).map(toStoredRow);
  const byId = new Map(found.map((row) => [row.id, row]));
  return replaced.every((key) => {
    const row = byId.get(key.id);
    return row?.state === 'live' && isSame(row, key);
  });
}

/**
 * Finishes what is left of a write: publishes it if all its rows were written and the rows they replace still exist, and rolls
 * it back otherwise. Either is right for a write that was never acknowledged, and every process decides alike.
 */
export async function finish(rows: Rows, nonce: string): Promise<void> {
  const written = (await rows.get({ where: { 'doc:batch': nonce } }, ['metadatas'])).map(toStoredRow);
  const intents = written.filter(({ state }) => state === 'intent');
  const publications = intents.map(({ id, head }) => ({ id, owner: head.owner, replaces: head.replaces }));
  const isWhole = intents.length > 0 && intents.length === intents[0]?.head.size;
  if (isWhole && (await canPublish(rows, publications))) await publish(rows, publications);
  else await withdraw(rows, nonce, intents);
}

async function isStillIntended(rows: Rows, intent: RowKey): Promise<boolean> {
  const [row] = (await rows.get({ ids: [intent.id] }, ['metadatas'])).map(toStoredRow);
  return row?.state === 'intent' && isSame(row, intent);
}

/** Waits until the intents of other writers are gone or published; finishes those whose writer is lost. */
export async function settle(rows: Rows, met: readonly StoredRow[], intents: WriteIntents): Promise<void> {
  for (const intent of new Map(met.map((row) => [row.nonce, row])).values()) {
    const until = performance.now() + intents.leaseMs;
    while (!intents.isAbandoned(intent.nonce) && performance.now() < until) {
      if (!(await isStillIntended(rows, intent))) break;
      await sleep(LOOK_MS);
    }
    if (await isStillIntended(rows, intent)) await finish(rows, intent.nonce);
  }
}

/** Removes dead rows and finishes intents of lost writers in the whole collection. */
export async function sweep(rows: Rows, intents: WriteIntents): Promise<void> {
  const left = (await rows.get({ where: { 'doc:owner': '' } }, ['metadatas'])).map(toStoredRow);
  await removeDead(
    rows,
    left.filter(({ state }) => state === 'dead').map(({ id }) => id),
  );
  await settle(
    rows,
    left.filter(({ state }) => state === 'intent'),
    intents,
  );
}
