import type { EmbedderIdentity } from '../store/store.ts';

/**
 * How a word and a single CJK character count in the keyword score. A character says far less than a word, but it is all
 * that there is to find a one-character word by; at 0.3 the pairs that hold it still decide among longer matches.
 */
export const KEYWORD_WEIGHTS = { terms: 1, unigrams: 0.3 } as const;

/** BM25's saturation and length normalisation. Source: Robertson and Zaragoza 2009, section 3.3; FTS5 has the same. */
export const BM25 = { k1: 1.2, b: 0.75 } as const;

/** Most distinct words of a query, and most characters, that are looked up: a pasted page says nothing more after these. */
export const MAX_QUERY_TOKENS = 256;

/**
 * How much nearness counts beside words in the fusion. A model's vectors know what words do not, so both count alike; the
 * lexical embedder's see the same words without knowing which of them are rare, so they break ties and find what shares
 * only parts of words. On conversations with 760 questions, the share of them with an evidence turn among the first ten
 * windows was .849 at weight 1, .875 at .3, .886 at .1, and .883 without vectors.
 */
export function vectorWeight({ provider }: EmbedderIdentity): number {
  return provider === 'lexical' ? 0.1 : 1;
}

/** How far a priority tag lifts a score towards 1. */
export const PRIORITY_LIFT = 0.5;

/** The importance that memories have: their writers rate them from 1 to 10. */
export const IMPORTANCE_SCALE = { least: 1, most: 10 } as const;

/**
 * By which share of its relevance a memory grows at most for its importance and for being recent, in searches for memories,
 * and after how many days a memory is half as recent as the newest one that was found. That the three of them order memories
 * is from Park et al. 2023, Generative Agents, section 4.1; there they count alike, which buries what was asked for. Here the
 * two shares together are less than 64/61 - 1 = .049: with k = 60, what leads both lists has 64/61 of the score of what is
 * fourth in both, and stays before it whatever the age and importance of either. At most three places are changed at the top,
 * eight at rank 100. Zeros switch them off.
 */
export const MEMORY_BOOSTS = { importance: 0.03, recency: 0.018, halfLifeDays: 30 } as const;

/** Most candidates that a reranker reads: it takes as much longer as it reads, and what is right is mostly among these. */
export const MAX_RERANKED = 50;

/** How many characters of all results together are looked at to explain them, which takes a second. */
export const MAX_EXPLAINED = 1_000_000;

/** Up to so many rows of a selection are all read and scored by words, whether they hold one or not. */
export const MAX_ROWS_READ = 256;

/** Up to so many rows with a word of the query are read and scored exactly, by their own statistics. */
export const MAX_ROWS_SCORED = 1_000;

/** How many candidates each way of searching brings to the fusion. */
export function candidateLimit(topK: number): number {
  return Math.max(100, 4 * topK);
}

/** Names the derived form of documents (tokens, attributes). A store with another one has to rebuild its index. */
export const INDEX_VERSION = 1;
