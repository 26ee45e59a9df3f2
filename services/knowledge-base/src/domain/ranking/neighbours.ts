import { allOf } from '@contextloom/retrieval/filter';
import { encodePlace, standsAt } from '../documents/places.ts';
import { NEIGHBOURS } from '../search/tuning.ts';
import type { Place, Selection } from '../store.ts';

/** The places next to a place, each with the share of its relevance that it gives to the document there. */
function around({ sequence, position }: Place, endsAsking: boolean): readonly (Place & { readonly share: number })[] {
  // A document gets from the one after it what it gives to the one before: its own shares are mirrored.
  const before = NEIGHBOURS.fromAfter.map((share, at) => ({ sequence, position: position - at - 1, share }));
  const after = NEIGHBOURS.fromBefore.map((share, at) => ({
    ...{ sequence, position: position + at + 1 },
    share: at === 0 && endsAsking ? NEIGHBOURS.fromQuestion : share,
  }));
  return [...before, ...after];
}

/** A document with its relevance to a query. */
export interface Placed {
  readonly id: string;
  readonly relevance: number;
  readonly place?: Place | undefined;
  /** Whether it ends on a question. */
  readonly endsAsking?: boolean;
}

/**
 * The selection of the neighbours of the given documents, best first, that are not among them; undefined when no neighbour is
 * missing.
 */
export function toMissingNeighbours(
  placed: readonly Pick<Placed, 'place'>[],
  { visible, condition }: Selection,
): Selection | undefined {
  const known = new Set(placed.flatMap(({ place }) => (place === undefined ? [] : [encodePlace(place)])));
  const wanted = placed
    .slice(0, NEIGHBOURS.lookedUp)
    .flatMap(({ place }) => (place === undefined ? [] : around(place, false)))
    .filter((neighbour) => !known.has(encodePlace(neighbour)));
  return wanted.length === 0 ? undefined : { visible, condition: allOf([condition, standsAt(wanted)]) };
}

/**
 * Boosts each document by shares of its neighbours' relevance: an answer often stands next to what repeats the words of its question.
 * A document without neighbours keeps its own relevance; one that is given twice counts once.
 */
export function boostByNeighbours(documents: readonly Placed[]): ReadonlyMap<string, number> {
  const placed = [...new Map(documents.map((one) => [one.id, one])).values()];
  const idAt = new Map(
    placed.flatMap(({ id, place }) => (place === undefined ? [] : [[encodePlace(place), id] as const])),
  );
  const boosted = new Map(placed.map(({ id, relevance }) => [id, relevance]));
  for (const { relevance, place, endsAsking = false } of placed) {
    for (const neighbour of place === undefined ? [] : around(place, endsAsking)) {
      const id = idAt.get(encodePlace(neighbour));
      if (id !== undefined) boosted.set(id, (boosted.get(id) ?? 0) + neighbour.share * relevance);
    }
  }
  return boosted;
}
