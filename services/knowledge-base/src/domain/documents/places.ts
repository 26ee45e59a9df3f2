import type { JsonObject } from '@contextloom/contracts';
import type { Attributes, RowCondition } from '@contextloom/retrieval/filter';
import { encodePlace, type Place } from '@contextloom/retrieval/ranking';

/**
 * The attribute of a document that has a place: `position` and `sequence` in one, so that its neighbours are one list of
 * values.
 */
const PLACE = 'place:';

/** The place in a sequence that a document's metadata names; undefined for a document of no sequence. */
export function toPlace({ sequence, position }: JsonObject): Place | undefined {
  return typeof sequence === 'string' && Number.isSafeInteger(position)
    ? { sequence, position: Number(position) }
    : undefined;
}

/** The place of a document as an attribute; empty for a document of no sequence. */
export function toPlaceAttributes(metadata: JsonObject): Attributes {
  const place = toPlace(metadata);
  return new Map(place === undefined ? [] : [[PLACE, encodePlace(place)]]);
}

/** The condition that a document is in one of these places; at least one is needed. */
export function standsAt(places: readonly Place[]): RowCondition {
  return { test: 'in', attribute: PLACE, values: [...new Set(places.map(encodePlace))] };
}
