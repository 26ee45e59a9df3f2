import type { Place, Selection } from '../store/store.ts';
import { allOf } from './conditions.ts';
import { toRowCondition } from './encoding.ts';
import type { Filter } from './filter.ts';
import { NEIGHBOURS } from './tuning.ts';

const toKey = ({ sequence, position }: Place): string => `${position} ${sequence}`;

/** The places around a place, each with the share of its score that it gives to what stands around it. */
function around({ sequence, position }: Place): readonly (Place & { readonly share: number })[] {
  // What comes after a document lifts it from behind, so that its own shares are the other way round.
  const before = NEIGHBOURS.fromAfter.map((share, at) => ({ sequence, position: position - at - 1, share }));
  const after = NEIGHBOURS.fromBefore.map((share, at) => ({ sequence, position: position + at + 1, share }));
  return [...before, ...after];
}

/** A document with its relevance to a query. */
export interface Placed {
  readonly id: string;
  readonly relevance: number;
  readonly place: Place | undefined;
}

/** The selection of the documents around the given ones that are not among them; undefined when there are none to look for. */
export function toMissingNeighbours(
  placed: readonly Placed[],
  { visible, condition }: Selection,
): Selection | undefined {
  const known = new Set(placed.flatMap(({ place }) => (place === undefined ? [] : [toKey(place)])));
  const wanted = placed
    .slice(0, NEIGHBOURS.lookedUp)
    .flatMap(({ place }) => (place === undefined ? [] : around(place)))
    .filter((neighbour) => !known.has(toKey(neighbour)));
  if (wanted.length === 0) return undefined;
  // Every sequence with every position, of which the wanted are a part: a third of the time that naming them one by one takes.
  const filter: Filter = {
    kind: 'and',
    filters: [
      { kind: 'in', key: 'sequence', values: [...new Set(wanted.map(({ sequence }) => sequence))] },
      { kind: 'in', key: 'position', values: [...new Set(wanted.map(({ position }) => position))] },
    ],
  };
  return { visible, condition: allOf([condition, toRowCondition(filter)]) };
}

/**
 * Lifts each document by shares of the relevance of those around it: what answers a question often stands beside what
 * repeats its words. A document that stands alone keeps its own; one that is given twice counts once.
 */
export function liftByNeighbours(given: readonly Placed[]): ReadonlyMap<string, number> {
  const placed = [...new Map(given.map((one) => [one.id, one])).values()];
  const idAt = new Map(placed.flatMap(({ id, place }) => (place === undefined ? [] : [[toKey(place), id] as const])));
  const lifted = new Map(placed.map(({ id, relevance }) => [id, relevance]));
  for (const { relevance, place } of placed) {
    for (const neighbour of place === undefined ? [] : around(place)) {
      const id = idAt.get(toKey(neighbour));
      if (id !== undefined) lifted.set(id, (lifted.get(id) ?? 0) + neighbour.share * relevance);
    }
  }
  return lifted;
}
