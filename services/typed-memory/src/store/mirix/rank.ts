import { tokenize } from '@contextloom/retrieval';
import { fuseRanks, rankBm25 } from '@contextloom/retrieval/ranking';
import type { MemoryType } from '../../domain/memory-type.ts';
import type { MirixItem } from './items.ts';
import type { MirixCandidates } from './mirix-api.ts';

/** An item and its score, 0 to 1; none for one that is only read along. */
export interface RankedItem {
  readonly item: MirixItem;
  readonly score: number | undefined;
}

/** What to choose, and how much of it. */
export interface RankOptions {
  readonly query: string;
  readonly types: readonly MemoryType[];
  readonly limit: number;
}

const toText = ({ content, details: { title, concept } }: MirixItem): string =>
  [title, concept, content].filter((part) => part !== undefined).join('\n');

/**
 * Puts candidates in order: by MIRIX's own rankings, and by their words as the other stores count them, Chinese ones too. What
 * neither ranks is left out, but core memories that are asked for alone: those are always read.
 */
export function rankCandidates(
  { items, rankings }: MirixCandidates,
  { query, types, limit }: RankOptions,
): readonly RankedItem[] {
  const asked = new Map(items.filter(({ type }) => types.includes(type)).map((item) => [item.key, item]));
  const documents = Array.from(asked, ([id, item]) => ({ id, ...tokenize(toText(item)) }));
  const byWords = rankBm25(documents, tokenize(query), documents.length, documents.length).map(({ id }) => id);
  const lists = [...rankings.map((keys) => keys.filter((key) => asked.has(key))), byWords];
  const scores = fuseRanks(lists.filter((keys) => keys.length > 0).map((ids) => ({ ids })));
  const readAlong = types.every((type) => type === 'core') ? [...asked.keys()].filter((key) => !scores.has(key)) : [];
  return [...scores.keys(), ...readAlong].slice(0, limit).flatMap((key) => {
    const item = asked.get(key);
    return item === undefined ? [] : [{ item, score: scores.get(key) }];
  });
}
