import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import type { IndexState } from '../../../domain/store.ts';
import { isGone } from '../connection/errors.ts';
import type { Catalog, Generation } from '../rows/catalog.ts';
import { findLoss } from './lost-index.ts';

/** The turn of one rebuild: the generation in use, and the one that it makes. */
export interface Turn {
  readonly id: string;
  readonly source: Generation;
  readonly target: Generation;
}

/** The error of a rebuild whose turn is over. */
export const toLostTurn = (cause?: unknown): ContextloomError =>
  new ContextloomError('conflict', 'the index is being rebuilt by another call, which goes on', { cause });

/** The generation that a rebuild for this fingerprint left when it was cut off, if it can be gone on with. */
async function findUnfinished(catalog: Catalog, { indexSwap: { next } }: Generation, fingerprint: string) {
  const unfinished = next === '' ? undefined : await catalog.find(next);
  if (unfinished?.fingerprint !== fingerprint) return undefined;
  // A server that lost its files tells of rows whose vectors are gone.
  return (await findLoss(unfinished.rows, unfinished.name)) === undefined ? unfinished : undefined;
}

/** What the index is to a program with this fingerprint. */
export async function readIndexState(catalog: Catalog, fingerprint: string): Promise<IndexState> {
  const generation = await catalog.open((await catalog.read()).current);
  if ((await findUnfinished(catalog, generation, fingerprint)) !== undefined) return 'unfinished';
  return generation.fingerprint === fingerprint ? 'own' : 'useless';
}

/** Whether a turn is still on: another rebuild has not begun, nor one come to its end. */
export async function isOn(catalog: Catalog, { id, source }: Turn): Promise<boolean> {
  return (await catalog.find(source.name))?.indexSwap.turn === id;
}

/**
 * Takes the turn from a rebuild that is under way or was cut off, with its generation where that is asked for and it was
 * made for the same fingerprint; else with an empty one.
 */
export async function takeTurn(
  catalog: Catalog,
  {
    fingerprint,
    settlingMs,
    resume,
  }: {
    readonly fingerprint: string;
    /** How long a change of the catalog takes to be known to all writers, in milliseconds. */
    readonly settlingMs: number;
    readonly resume: boolean;
  },
): Promise<Turn> {
  const source = await catalog.open((await catalog.read()).current);
  const before = source.indexSwap;
  const kept = resume ? await findUnfinished(catalog, source, fingerprint) : undefined;
  const target = kept ?? (await catalog.make());
  const turn = { id: catalog.newId(), source, target };
  await source.setIndexSwap({ next: target.name, turn: turn.id }).catch((error: unknown) => {
    throw isGone(error) ? toLostTurn(error) : error;
  });
  if (before.next === '') return turn;
  // Who had the turn may have looked at it just before this: what it did then, even taking over, is done after the sleep.
  await sleep(settlingMs);
  const { current, closing } = await catalog.read();
  if (current !== source.name || !(await isOn(catalog, turn))) throw toLostTurn();
  if (closing !== '') await catalog.write({ current, closing: '' });
  if (kept === undefined) await catalog.drop(before.next);
  return turn;
}
