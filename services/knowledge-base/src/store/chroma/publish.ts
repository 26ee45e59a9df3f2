import { setTimeout as sleep } from 'node:timers/promises';
import type { Claims } from './claims.ts';
import type { NewRow, Rows } from './collection.ts';
import { isSame } from './lookup.ts';
import { type HeldRow, type RowKey, toHeldRow } from './rows.ts';

/** How long a claim of another process is left to it, in milliseconds: a process that is at work needs a tenth of a second. */
const LEASE_MS = 5_000;
/** How often a claim is looked at again, in milliseconds. */
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

/** Takes claims back, unless they were published. */
export async function withdraw(rows: Rows, nonce: string, claimed: readonly Pick<NewRow, 'id'>[]): Promise<void> {
  const ids = claimed.map(({ id }) => id);
  if (ids.length > 0) await rows.remove(ids, { $and: [{ 'doc:batch': nonce }, { 'doc:owner': '' }] });
}

/** Whether the rows that claims replace are still there and shown. */
export async function canPublish(rows: Rows, publications: readonly Publication[]): Promise<boolean> {
  const replaced = publications.flatMap(({ replaces }) => (replaces === null ? [] : [replaces]));
  if (replaced.length === 0) return true;
  const found = (await rows.get({ ids: replaced.map(({ id }) => id) }, ['metadatas'])).map(toHeldRow);
  const byId = new Map(found.map((row) => [row.id, row]));
  return replaced.every((key) => {
    const row = byId.get(key.id);
    return row?.state === 'live' && isSame(row, key);
  });
}

/**
 * Brings to its end what is left of a write: shown, if all its rows were written and what they replace is still there, and
 * taken back otherwise. Either way is right for a write that was never acknowledged, and whoever does it does the same.
 */
export async function finish(rows: Rows, nonce: string): Promise<void> {
  const written = (await rows.get({ where: { 'doc:batch': nonce } }, ['metadatas'])).map(toHeldRow);
  const claims = written.filter(({ state }) => state === 'claim');
  const publications = claims.map(({ id, head }) => ({ id, owner: head.owner, replaces: head.replaces }));
  const isWhole = claims.length > 0 && claims.length === claims[0]?.head.size;
  if (isWhole && (await canPublish(rows, publications))) await publish(rows, publications);
  else await withdraw(rows, nonce, claims);
}

async function isStillClaimed(rows: Rows, claim: RowKey): Promise<boolean> {
  const [row] = (await rows.get({ ids: [claim.id] }, ['metadatas'])).map(toHeldRow);
  return row?.state === 'claim' && isSame(row, claim);
}

/** Waits until claims that were met are gone or published; those whose writer is lost are brought to their end. */
export async function settle(rows: Rows, met: readonly HeldRow[], claims: Claims): Promise<void> {
  for (const claim of new Map(met.map((row) => [row.nonce, row])).values()) {
    const until = performance.now() + LEASE_MS;
    while (!claims.isAbandoned(claim.nonce) && performance.now() < until) {
      if (!(await isStillClaimed(rows, claim))) break;
      await sleep(LOOK_MS);
    }
    if (await isStillClaimed(rows, claim)) await finish(rows, claim.nonce);
  }
}

/** Removes dead rows and brings claims of lost writers to their end, wherever they are in the collection. */
export async function sweep(rows: Rows, claims: Claims): Promise<void> {
  const left = (await rows.get({ where: { 'doc:owner': '' } }, ['metadatas'])).map(toHeldRow);
  await removeDead(
    rows,
    left.filter(({ state }) => state === 'dead').map(({ id }) => id),
  );
  await settle(
    rows,
    left.filter(({ state }) => state === 'claim'),
    claims,
  );
}
