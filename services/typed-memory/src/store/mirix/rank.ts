import { rankTexts, readSearchQuery, scoreWords } from '@contextloom/retrieval/ranking';
import type { MemoryQuery } from '../../domain/typed-memory-store.ts';
import type { MirixItem } from './items.ts';
import type { MirixCandidates } from './mirix-api.ts';

/** An item and its relevance, 0 to 1; none for one that is only read along. */
export interface RankedItem {
  readonly item: MirixItem;
  readonly relevance: number | undefined;
}

/** MIRIX tells places, and not how near an item is: its first is as near as what is doubtful. */
const PLACES = { cosine: { none: 0, full: 4 } } as const;

const toText = ({ content, details: { title, concept } }: MirixItem): string =>
  [title, concept, content].filter((part) => part !== undefined).join('\n');

/** How near items are by their best places in MIRIX's own rankings: the first with 1. */
function toNearness(rankings: MirixCandidates['rankings']): ReadonlyMap<string, number> {
  const nearness = new Map<string, number>();
  for (const keys of rankings) {
    for (const [at, key] of keys.entries()) nearness.set(key, Math.max(nearness.get(key) ?? 0, 1 - at / keys.length));
  }
  return nearness;
}

/**
 * Puts candidates in the order that every store has, with MIRIX's own rankings in the place of vectors. What neither words nor these
 * have is left out, but core memories that are requested alone: those are always read.
 */
export function rankCandidates(
  { items, rankings }: MirixCandidates,
  { query, types, limit, minScore }: MemoryQuery,
): readonly RankedItem[] {
  const requested = new Map(items.filter(({ type }) => types.includes(type)).map((item) => [item.key, item]));
  const nearness = toNearness(rankings.map((keys) => keys.filter((key) => requested.has(key))));
  const texts = Array.from(requested, ([id, item]) => ({ id, text: toText(item), cosine: nearness.get(id) }));
  const search = readSearchQuery(query);
  const { hits } = rankTexts(search, scoreWords(search, texts), { scale: PLACES, minScore });
  const relevances = new Map(hits.map(({ id, relevance }) => [id, relevance]));
  const readAlong = types.every((type) => type === 'core')
    ? [...requested.keys()].filter((key) => !relevances.has(key))
    : [];
  return [...relevances.keys(), ...readAlong].slice(0, limit).flatMap((key) => {
    const item = requested.get(key);
    return item === undefined ? [] : [{ item, relevance: relevances.get(key) }];
  });
}
