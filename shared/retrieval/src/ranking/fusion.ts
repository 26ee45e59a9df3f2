import { ContextloomError } from '@contextloom/contracts';

/** One ranking to fuse: ids, best first, and how much the ranking counts (default 1). */
export interface RankedList {
  readonly ids: readonly string[];
  readonly weight?: number;
}

/**
 * Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): each list adds `weight / (k + rank)` to its ids; scores are
 * divided by the best possible one, so an id that leads every list scores 1. Best first; ties keep the order in which
 * they were first seen. An id repeated in a list counts once, at its best rank.
 */
export function fuseRanks(lists: readonly RankedList[], { k = 60 }: { readonly k?: number } = {}): Map<string, number> {
  if (!(k >= 0 && k < Number.POSITIVE_INFINITY)) {
    throw new ContextloomError('invalid', 'k must be a number of at least 0', { field: 'k' });
  }
  const scores = new Map<string, number>();
  let best = 0;
  for (const { ids, weight = 1 } of lists) {
    if (!(weight > 0 && weight < Number.POSITIVE_INFINITY)) {
      throw new ContextloomError('invalid', 'weight must be a number above 0', { field: 'weight' });
    }
    best += weight / (k + 1);
    let rank = 0;
    for (const id of new Set(ids)) {
      rank += 1;
      scores.set(id, (scores.get(id) ?? 0) + weight / (k + rank));
    }
  }
  const fused = [...scores].sort(([, a], [, b]) => b - a);
  return new Map(fused.map(([id, score]) => [id, score / best]));
}
