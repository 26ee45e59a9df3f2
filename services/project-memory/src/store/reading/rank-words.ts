import { createBm25, kthLargest, type QueryTokens } from '@contextloom/retrieval/ranking';
import type { FragmentHit } from '../../domain/store.ts';

/** What settles a tie: ids are drawn by lot, and would show the same memories in another order on another machine. */
export interface Tie {
  readonly ts: number;
  readonly createdAt: string;
  readonly hash: string;
}

/** Newest first, then by the hash of the text. */
export function compareTies(a: Tie, b: Tie): number {
  if (a.ts !== b.ts) return b.ts - a.ts;
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.hash === b.hash ? 0 : a.hash < b.hash ? -1 : 1;
}

/** A fragment, and how well it fits. */
export interface ScoredFragment {
  readonly memoryId: string;
  readonly chunkIndex: number;
  readonly score: number;
}

/** The best fragment of each memory, in no order: so many, and those that fit as well as the last of them. */
export function toBestFragments<T extends ScoredFragment>(fragments: readonly T[], limit: number): readonly T[] {
  const best = new Map<string, T>();
  for (const one of fragments) {
    const known = best.get(one.memoryId);
    const isBetter =
      known === undefined ||
      one.score > known.score ||
      (one.score === known.score && one.chunkIndex < known.chunkIndex);
    if (isBetter) best.set(one.memoryId, one);
  }
  if (best.size <= limit) return [...best.values()];
  const least = kthLargest(
    Float64Array.from(best.values(), ({ score }) => score),
    limit,
  );
  return [...best.values()].filter(({ score }) => score >= least);
}

/** Fragments, best first. */
export const toOrder = <T extends ScoredFragment & Tie>(fragments: readonly T[], limit: number): readonly T[] =>
  [...fragments].sort((a, b) => b.score - a.score || compareTies(a, b)).slice(0, limit);

/** A fragment that has a word of a query. */
export interface WordCandidate extends Omit<ScoredFragment, 'score'> {
  /** How many words it has, and how many single CJK characters. */
  readonly terms: number;
  readonly unigrams: number;
  /** How often it has which of the forms that are looked for, by their places. */
  readonly counts: readonly (readonly [form: number, frequency: number])[];
}

/** What an engine found, and among how many fragments. */
export interface WordCandidates<T extends WordCandidate> {
  readonly candidates: readonly T[];
  readonly population: number;
}

/** How an engine finds fragments by words. */
export interface WordFinder<T extends WordCandidate> {
  /** What has one of the forms of the words. */
  readonly find: (forms: readonly string[]) => Promise<WordCandidates<T>>;
  /** What settles ties among the best. */
  readonly addTies: (best: readonly (T & ScoredFragment)[]) => Promise<readonly (ScoredFragment & Tie)[]>;
}

/** Fragments by the words of a query, best first, by BM25. */
export async function rankByWords<T extends WordCandidate>(
  tokens: QueryTokens,
  { find, addTies }: WordFinder<T>,
  limit: number,
): Promise<readonly FragmentHit[]> {
  const bm25 = createBm25(tokens);
  if (bm25.forms.length === 0) return [];
  const { candidates, population } = await find(bm25.forms);
  for (const { terms, unigrams, counts } of candidates) {
    const document = bm25.begin(terms, unigrams);
    for (const [form, frequency] of counts) bm25.count(document, form, frequency);
  }
  const scores = bm25.score(Math.max(population, candidates.length));
  const scored = candidates.map((candidate, at) => ({ ...candidate, score: scores[at] ?? 0 }));
  const best = await addTies(toBestFragments(scored, limit));
  return toOrder(best, limit).map(({ memoryId, chunkIndex, score }) => ({ memoryId, chunkIndex, words: score }));
}
