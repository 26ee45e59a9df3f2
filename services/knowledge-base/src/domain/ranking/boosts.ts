import { type Explanation, MEMORY_TAG, type SearchRequest } from '@contextloom/contracts';
import type { WithoutFilter } from '../documents/scope.ts';
import { IMPORTANCE_SCALE, MEMORY_BOOSTS, PRIORITY_BOOST } from '../search/tuning.ts';
import type { Candidate } from '../store.ts';

/** Shares by which a memory's relevance grows at most, and after how many days the one for recency is half. */
export type MemoryBoosts = Readonly<Record<keyof typeof MEMORY_BOOSTS, number>>;

/** What boosts documents besides their relevance. */
export interface BoostOptions {
  readonly priorityTags?: readonly string[] | undefined;
  /** Given in searches for memories alone. */
  readonly memories?: MemoryBoosts | undefined;
}

/** What a candidate got besides its relevance, and the score that comes of both. */
export type Boosted = Pick<Explanation, 'boosts' | 'score'>;

const MS_PER_DAY = 86_400_000;

/**
 * Whether a search is one for memories: its tags leave nothing else. In a search over memories and other documents, or over
 * everything, a boost that only some documents can have would be an advantage of a kind, not of a document; and who looks
 * something up in notes expects what fits best, not what is newest. An empty query is a listing, which has that order anyway.
 */
export function asksForMemories({
  query,
  tags = [],
  tags_all: all = [],
  tags_any: any = [],
}: WithoutFilter<SearchRequest>): boolean {
  const isAny = any.length > 0 && any.every((tag) => tag === MEMORY_TAG);
  return query.trim() !== '' && (isAny || [...tags, ...all].includes(MEMORY_TAG));
}

/** What boosts documents in a search. */
export function toBoostOptions(request: WithoutFilter<SearchRequest>): BoostOptions {
  return { priorityTags: request.priority_tags, memories: asksForMemories(request) ? MEMORY_BOOSTS : undefined };
}

function toImportancePart(importance: number | undefined): number {
  const { least, most } = IMPORTANCE_SCALE;
  return Math.max(0, Math.min(1, ((importance ?? least) - least) / (most - least)));
}

/** Measured from the newest memory that was found, not from the clock: the same search over the same documents stays the same. */
function createShares(candidates: readonly Candidate[], memories: MemoryBoosts | undefined) {
  const found = candidates.filter(({ tags }) => tags.includes(MEMORY_TAG));
  const newest = found.reduce((latest, { time }) => Math.max(latest, time), Number.NEGATIVE_INFINITY);
  return ({ tags, importance, time }: Candidate): { importance: number; recency: number } => {
    if (memories === undefined || !tags.includes(MEMORY_TAG)) return { importance: 0, recency: 0 };
    const ageInDays = (newest - time) / MS_PER_DAY;
    return {
      importance: memories.importance * toImportancePart(importance),
      recency: memories.recency * 0.5 ** (ageInDays / memories.halfLifeDays),
    };
  };
}

/**
 * Builds the function that makes a score in [0,1] of a candidate's relevance in [0,1]. A memory's relevance grows by its
 * shares, over what it could have grown to at most; a priority tag then lifts the score half of the way to 1.
 */
export function createBoost(
  candidates: readonly Candidate[],
  { priorityTags = [], memories }: BoostOptions,
): (candidate: Candidate, relevance: number) => Boosted {
  const wanted = new Set(priorityTags);
  const toShares = createShares(candidates, memories);
  const most = 1 + (memories?.importance ?? 0) + (memories?.recency ?? 0);
  return (candidate, relevance) => {
    const { importance, recency } = toShares(candidate);
    const boosted = (relevance * (1 + importance + recency)) / most;
    const isPriority = candidate.tags.some((tag) => wanted.has(tag));
    const priority = isPriority ? (1 - boosted) * PRIORITY_BOOST : 0;
    return { boosts: { importance, recency, priority_tag: priority }, score: boosted + priority };
  };
}
