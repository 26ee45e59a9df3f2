import { fuseRanks } from '@contextloom/retrieval';
import type { Candidate } from '../store/store.ts';
import { PRIORITY_LIFT } from './tuning.ts';

/** A candidate and its score in [0,1], higher is better. */
export interface Ranked {
  readonly id: string;
  readonly score: number;
}

/** What one way of searching found, best first, and how much its word counts. */
export interface Ranking {
  readonly candidates: readonly Candidate[];
  readonly weight: number;
}

/**
 * Fuses rankings of candidates into one, best first; ties by id. A candidate that one ranking lacks gets nothing from it,
 * so that being found in one way never outranks being found as well in both. A priority tag lifts a score half of the way to 1.
 */
export function rank(rankings: readonly Ranking[], priorityTags: readonly string[] = []): readonly Ranked[] {
  const fused = fuseRanks(rankings.map(({ candidates, weight }) => ({ ids: candidates.map(({ id }) => id), weight })));
  const wanted = new Set(priorityTags);
  const lifted = new Set(
    rankings
      .flatMap(({ candidates }) => candidates)
      .filter(({ tags }) => tags.some((tag) => wanted.has(tag)))
      .map(({ id }) => id),
  );
  return [...fused]
    .map(([id, score]) => ({ id, score: lifted.has(id) ? score + (1 - score) * PRIORITY_LIFT : score }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
