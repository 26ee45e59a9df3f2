import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import type { IndexState } from '../../domain/store.ts';
import type { Catalog, Generation } from './catalog.ts';
import { isGone } from './errors.ts';
import { findLoss } from './lost-index.ts';
import { CATALOG_SETTLES_MS } from './session.ts';

/** The turn of one rebuilding: the generation in use, and the one that it makes. */
export interface Turn {
  readonly id: string;
  readonly source: Generation;
  readonly target: Generation;
}

/** The error of a rebuilding whose turn is over. */
export const toLostTurn = (cause?: unknown): ContextloomError =>
  new ContextloomError('conflict', 'the index is being rebuilt by another call, which goes on', { cause });

/** The generation that a rebuilding for this filling left when it was cut off, if it can be gone on with. */
async function findUnfinished(catalog: Catalog, { succession: { next } }: Generation, filling: string) {
  const unfinished = next === '' ? undefined : await catalog.find(next);
  if (unfinished?.filling !== filling) return undefined;
  // A server that lost its files tells of rows whose vectors are gone.
  return (await findLoss(unfinished.rows, unfinished.name)) === undefined ? unfinished : undefined;
}

/** What the index is to a program with this filling. */
export async function readIndexState(catalog: Catalog, filling: string): Promise<IndexState> {
  const generation = await catalog.open((await catalog.read()).current);
  if ((await findUnfinished(catalog, generation, filling)) !== undefined) return 'unfinished';
  return generation.filling === filling ? 'own' : 'useless';
}

/** Whether a turn is still on: another rebuilding has not begun, nor one come to its end. */
export async function isOn(catalog: Catalog, { id, source }: Turn): Promise<boolean> {
  return (await catalog.find(source.name))?.succession.turn === id;
}

/**
 * Takes the turn from a rebuilding that is under way or was cut off, with its generation where that is asked for and it was
 * made for the same filling; else with an empty one.
 */
export async function takeTurn(
  catalog: Catalog,
  { filling, resume }: { readonly filling: string; readonly resume: boolean },
): Promise<Turn> {
  const source = await catalog.open((await catalog.read()).current);
  const before = source.succession;
  const kept = resume ? await findUnfinished(catalog, source, filling) : undefined;
  const target = kept ?? (await catalog.make());
  const turn = { id: catalog.newId(), source, target };
  await source.setSuccession({ next: target.name, turn: turn.id }).catch((error: unknown) => {
    throw isGone(error) ? toLostTurn(error) : error;
  });
  if (before.next === '') return turn;
  // Who had the turn may have looked at it just before this: what it did then, even taking over, is done after the sleep.
  await sleep(CATALOG_SETTLES_MS);
  const { current, closing } = await catalog.read();
  if (current !== source.name || !(await isOn(catalog, turn))) throw toLostTurn();
  if (closing !== '') await catalog.write({ current, closing: '' });
  if (kept === undefined) await catalog.drop(before.next);
  return turn;
}
