import type { StoredDocument } from '@contextloom/contracts';
import { fuseRanks } from '@contextloom/retrieval';
import type { Candidate } from '../store/store.ts';
import { PRIORITY_LIFT } from './tuning.ts';

/** A candidate and its score in [0,1], higher is better. */
export interface Ranked {
  readonly id: string;
  readonly score: number;
  /** The document itself, where the store had read it. */
  readonly document?: StoredDocument;
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
  const read = new Map(
    rankings.flatMap(({ candidates }) =>
      candidates.flatMap(({ id, document }) => (document === undefined ? [] : [[id, document] as const])),
    ),
  );
  return [...fused]
    .map(([id, fusedScore]) => {
      const score = lifted.has(id) ? fusedScore + (1 - fusedScore) * PRIORITY_LIFT : fusedScore;
      const document = read.get(id);
      return { id, score, ...(document !== undefined && { document }) };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
