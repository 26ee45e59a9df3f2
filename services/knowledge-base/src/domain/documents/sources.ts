import { EPISODE_TAG, type JsonObject, readSources, SOURCE_KEY, toDocumentAddresses } from '@contextloom/contracts';
import { type Attributes, allOf, anyOf, type RowCondition } from '@contextloom/retrieval/filter';

/*
 * What a document was drawn from stands in its metadata, and each edge is an attribute `from:<address>` of its row: written in the same
 * transaction, found by the index of attributes, in every engine. A fact of before that names its episode alone is found by that.
 */
const toEdge = (address: string): string => `from:${address}`;

/** The edges of a document to what it was drawn from. */
export function toSourceAttributes(metadata: JsonObject): Attributes {
  return new Map(readSources(metadata).map((address) => [toEdge(address), true]));
}

const is = (attribute: string, value: string | boolean): RowCondition => ({
  test: 'in',
  attribute,
  values: [value] as readonly string[] | readonly boolean[],
});

/** The condition that a document was drawn from what has these addresses. */
export function isDrawnFrom(addresses: readonly string[]): RowCondition {
  const episodes = addresses.flatMap((address) => (address.startsWith('note:') ? [address.slice('note:'.length)] : []));
  return anyOf([
    ...addresses.map((address) => is(toEdge(address), true)),
    ...episodes.map((id) => is('str:episode', id)),
  ]);
}

/** The condition that the same was said in more conversations than one. */
export const isSaidAgain: RowCondition = { test: 'gte', attribute: 'num:mentions', value: 2 };

/** The condition that a document is an episode of a conversation. */
export function isEpisodeOf(transcript: string): RowCondition {
  return allOf([is(`tag:${EPISODE_TAG}`, true), is(`str:${SOURCE_KEY}`, transcript)]);
}

/** The condition that a document tells of a decision about a fact. */
export function isDecisionAbout(fact: string): RowCondition {
  return anyOf([is('str:fact', fact), is('str:known', fact)]);
}

/** The addresses of a document, whichever of them a source is named by. */
export function toAddressesOf(address: string): readonly string[] {
  const own = /^(?:note|typed):(?<id>.+)$/su.exec(address)?.groups?.['id'];
  return own === undefined ? [address] : toDocumentAddresses(own);
}
