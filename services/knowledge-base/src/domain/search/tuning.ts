/** The share of its score that the newest document gains in a search for how things are now; the oldest gains nothing. */
export const NEWNESS = 1;

/** How far a priority tag raises a score towards 1. */
export const PRIORITY_BOOST = 0.5;

/** Most candidates that a reranker reads: its time grows with them, and the right one is mostly among these. */
export const MAX_RERANKED = 50;

/** How many of the best candidates are read for what they say and where they stand. */
export const MAX_READ = 100;
/** Around so many of the best, neighbours are looked up that share no word with the query. */
export const NEIGHBOURS_OF = 20;

/** The least score of the best hit, so that the others keep their order. */
export const LEAST_SCORE = 0.01;
/** How many characters of all documents together are compared with a question. */
export const MAX_FIT_READ = 200_000;

/** How many characters of all results together an explanation reads, which takes a second. */
export const MAX_EXPLAINED = 1_000_000;

/** How many candidates each retriever contributes to the fusion. */
export function candidateLimit(topK: number): number {
  return Math.max(100, 4 * topK);
}

/**
 * Names the derived form of documents (tokens, attributes): a store with another one rebuilds its index from its own
 * vectors. A version that embeds another text of a document has to drop those in a migration.
 */
export const INDEX_VERSION = 5;
