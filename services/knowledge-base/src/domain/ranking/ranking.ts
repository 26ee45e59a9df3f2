import type { Explanation } from '@contextloom/contracts';
import type { TurnScore } from '@contextloom/retrieval/ranking';
import { PRIORITY_BOOST } from '../search/tuning.ts';
import type { Candidate, Hit } from '../store.ts';

/** What found a hit. */
export type Retriever = 'words' | 'vector';

/** The hits of one retriever, best first. */
export interface Ranking {
  readonly retriever: Retriever;
  readonly hits: readonly Hit[];
}

/** The rank of a candidate in a ranking, from 1, and its score, which is comparable within that ranking alone. */
export interface Standing {
  readonly rank: number;
  readonly score: number;
}

/** How well a candidate fits, and how that came about: `value` is (own + fromNeighbours) × form × recency. */
export interface Fit extends TurnScore {
  /** Above 1 for the newer ones in a search for how things are now. */
  readonly recency: number;
  /** In [0,1]; the best has 1. */
  readonly value: number;
}

/** The share that a place in an order has of the first place, from 0: of no other scores there is only the place. */
const toPlaceScore = (place: number): number => 61 / (61 + place);

const NONE: Fit = { own: 0, fromNeighbours: 0, form: 1, recency: 1, value: 0 };
/** A candidate with its score in [0,1], higher is better, and how that came about. */
export interface Ranked extends Pick<Explanation, 'boosts' | 'score'> {
  readonly candidate: Candidate;
  /** Its rank and score in each ranking that has it. */
  readonly lists: Readonly<Partial<Record<Retriever, Standing>>>;
  readonly fit: Fit;
  /** Its rank and score by the reranker, if that read it. */
  readonly rerank?: Standing;
}

/** Each candidate once, with its document where one of the rankings has it. */
export function toCandidates(rankings: readonly Ranking[]): ReadonlyMap<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  for (const { candidate } of rankings.flatMap(({ hits }) => hits)) {
    if (candidates.get(candidate.id)?.document === undefined) candidates.set(candidate.id, candidate);
  }
  return candidates;
}

/** The rank and score of each candidate in the rankings. */
function toLists(rankings: readonly Ranking[]): ReadonlyMap<string, Ranked['lists']> {
  const lists = new Map<string, Partial<Record<Retriever, Standing>>>();
  for (const { retriever, hits } of rankings) {
    for (const [at, { candidate, score }] of hits.entries()) {
      lists.set(candidate.id, { ...lists.get(candidate.id), [retriever]: { rank: at + 1, score } });
    }
  }
  return lists;
}

/** The score of a candidate that fits so well: a priority tag lifts it half of the way to 1. */
function toScore(
  { tags }: Candidate,
  value: number,
  priorityTags: readonly string[],
): Pick<Ranked, 'boosts' | 'score'> {
  const priority = priorityTags.some((tag) => tags.includes(tag)) ? (1 - value) * PRIORITY_BOOST : 0;
  return { boosts: { priority_tag: priority }, score: value + priority };
}

function sort(ranked: readonly Ranked[]): readonly Ranked[] {
  return [...ranked].sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1));
}

/** How well candidates fit, and those that none of the rankings has. */
export interface Fitting {
  readonly fits: ReadonlyMap<string, Fit>;
  readonly further: readonly Candidate[];
}

/** Puts the candidates of rankings in the order of how well they fit, best first; ties by id. */
export function rank(
  rankings: readonly Ranking[],
  { fits, further }: Fitting,
  priorityTags: readonly string[] = [],
): readonly Ranked[] {
  const candidates = new Map([...further.map((one) => [one.id, one] as const), ...toCandidates(rankings)]);
  const lists = toLists(rankings);
  return sort(
    [...candidates.values()].map((candidate) => {
      const fit = fits.get(candidate.id) ?? NONE;
      return { candidate, lists: lists.get(candidate.id) ?? {}, fit, ...toScore(candidate, fit.value, priorityTags) };
    }),
  );
}

/** What a listing has, in its order: what has a priority tag moves up. */
export function rankListing(candidates: readonly Candidate[], priorityTags: readonly string[] = []): readonly Ranked[] {
  const fits = new Map(
    candidates.map(({ id }, at) => [id, { ...NONE, own: toPlaceScore(at), value: toPlaceScore(at) }]),
  );
  return rank([], { fits, further: candidates }, priorityTags);
}

/**
 * Orders candidates by the scores of a reranker; those without a score follow in the order they had. Scores of rerankers have no
 * common scale, so that only their order counts: it replaces the order of how well they fit, and priority tags lift as before.
 */
export function applyReranking(
  ranked: readonly Ranked[],
  scores: ReadonlyMap<string, number>,
  priorityTags: readonly string[] = [],
): readonly Ranked[] {
  const scoreOf = ({ candidate }: Ranked): number => scores.get(candidate.id) ?? Number.NEGATIVE_INFINITY;
  const order = [...ranked].sort((a, b) => (scoreOf(a) === scoreOf(b) ? 0 : scoreOf(b) - scoreOf(a)));
  return sort(
    order.map((one, at) => {
      const score = scores.get(one.candidate.id);
      const rerank = score === undefined ? {} : { rerank: { rank: at + 1, score } };
      return { ...one, ...rerank, ...toScore(one.candidate, toPlaceScore(at), priorityTags) };
    }),
  );
}
