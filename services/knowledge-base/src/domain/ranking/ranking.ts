import { fuseRanks } from '@contextloom/retrieval/ranking';
import type { Candidate } from '../store.ts';
import { type Boosted, type BoostOptions, createBoost } from './boosts.ts';
import { fuse, type Ranking, type Retriever } from './fusion.ts';

/** The rank of a candidate in a ranking, from 1, and its score, which is comparable within that ranking alone. */
export interface Standing {
  readonly rank: number;
  readonly score: number;
}

/** How relevant a candidate is, and how that came about: `value` is (own + fromNeighbours) × utteranceFactor × timeFactor. */
export interface Relevance {
  /** Its relevance by the rankings alone. */
  readonly own: number;
  /** What its neighbours in a sequence add. */
  readonly fromNeighbours: number;
  /** Below 1 for a question, above 1 for what a speaker said whom the query names. */
  readonly utteranceFactor: number;
  /** Above 1 for what happened at a time that the query names. */
  readonly timeFactor: number;
  readonly value: number;
}

const NONE: Relevance = { own: 0, fromNeighbours: 0, utteranceFactor: 1, timeFactor: 1, value: 0 };

/** A candidate with its score in [0,1], higher is better, and how that came about. */
export interface Ranked extends Boosted {
  readonly candidate: Candidate;
  /** Its rank and score in each ranking that has it. */
  readonly lists: Readonly<Partial<Record<Retriever, Standing>>>;
  readonly relevance: Relevance;
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

function sort(ranked: readonly Ranked[]): readonly Ranked[] {
  return [...ranked].sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1));
}

/** Relevance that comes from the rankings alone. */
export function toRelevance(values: ReadonlyMap<string, number>): ReadonlyMap<string, Relevance> {
  return new Map([...values].map(([id, own]) => [id, { ...NONE, own, value: own }]));
}

/** What ranks candidates besides their places in the rankings. */
export interface RankOptions extends BoostOptions {
  /** The relevance of each candidate, its value in [0,1]; by the places of the rankings when absent. */
  readonly relevance?: ReadonlyMap<string, Relevance> | undefined;
  /** Candidates that none of the rankings has. */
  readonly further?: readonly Candidate[] | undefined;
}

/**
 * Fuses rankings of candidates into one, best first; ties by id. A candidate that one ranking lacks gets nothing from it,
 * so that a hit of one retriever never outranks one that is as good in both.
 */
export function rank(
  rankings: readonly Ranking[],
  { relevance = toRelevance(fuse(rankings, 'ranks')), further = [], ...options }: RankOptions = {},
): readonly Ranked[] {
  const candidates = new Map([...further.map((one) => [one.id, one] as const), ...toCandidates(rankings)]);
  const lists = toLists(rankings);
  const boost = createBoost([...candidates.values()], options);
  return sort(
    [...candidates.values()].map((candidate) => {
      const { id } = candidate;
      const own = relevance.get(id) ?? NONE;
      return { candidate, lists: lists.get(id) ?? {}, relevance: own, ...boost(candidate, own.value) };
    }),
  );
}

/**
 * Orders candidates by the scores of a reranker; those without a score follow in the order they had. Scores of rerankers have no
 * common scale, so that only their order counts: it replaces the fused order, and boosts apply as before.
 */
export function applyReranking(
  ranked: readonly Ranked[],
  scores: ReadonlyMap<string, number>,
  options: BoostOptions = {},
): readonly Ranked[] {
  const scoreOf = ({ candidate }: Ranked): number => scores.get(candidate.id) ?? Number.NEGATIVE_INFINITY;
  const order = [...ranked].sort((a, b) => (scoreOf(a) === scoreOf(b) ? 0 : scoreOf(b) - scoreOf(a)));
  const relevance = fuseRanks([{ ids: order.map(({ candidate }) => candidate.id) }]);
  const boost = createBoost(
    ranked.map(({ candidate }) => candidate),
    options,
  );
  return sort(
    order.map((one, at) => {
      const score = scores.get(one.candidate.id);
      const rerank = score === undefined ? {} : { rerank: { rank: at + 1, score } };
      return { ...one, ...rerank, ...boost(one.candidate, relevance.get(one.candidate.id) ?? 0) };
    }),
  );
}
