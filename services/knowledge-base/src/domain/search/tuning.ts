/**
 * What a document gives to those around it in its sequence, as shares of its own relevance: to the next one and the one after
 * that, and to the one before and the one before that. Answers follow questions, so more goes on than back, and most from one
 * that ends on a question: `fromQuestion` to the next. By bench:recall, evidence among the first ten without anything of a
 * sequence (these and `UTTERANCES`) and with it: .678 and .793 (five of LoCoMo), .573 and .622 (town.en), .638 and .731
 * (town.zh). `lookedUp`: around so many of the best, neighbours that share no word with the query are looked up; `read`: so
 * many of the best are asked for their place; `k`: the constant of rank fusion, under which first places are worth sharing.
 */
export const NEIGHBOURS = {
  ...{ fromBefore: [0.4, 0.2], fromQuestion: 0.7, fromAfter: [0.3, 0.2] },
  ...{ lookedUp: 20, read: 100, k: 5 },
} as const;

/**
 * How what is said in a sequence counts by its form: the share of its relevance that it loses as far as it is a question, the
 * share that it gains when a person whom the query names says it, and the most characters that are taken for something said.
 * By bench:recall without and with the loss and `fromQuestion` above: mrr .559 and .612 (five of LoCoMo), .443 and .473
 * (town.en), .538 and .600 (town.zh); without and with the gain: .604 and .612, .469 and .473, .597 and .600.
 */
export const UTTERANCES = { questionLoss: 0.4, speakerGain: 0.15, longest: 4_000 } as const;

/**
 * The share of its relevance that a document gains when it happened in a month, season or year that the query names, and the
 * share for a day, from the day before (time zones) to ten days after it: things are told when they have happened. By
 * bench:recall without and with both: evidence among the first ten .782 and .793 (five of LoCoMo), .616 and .622 (town.en),
 * .724 and .731 (town.zh).
 */
export const TIMES = { period: 0.3, day: 0.3, daysBefore: 1, daysAfter: 10 } as const;

/** The share of its relevance that the newest document gains in a search for how things are now; the oldest gains nothing. */
export const NEWNESS = 1;

/**
 * The share of the best one's relevance that every hit has in a search for how things are now: what was said last tells of now in
 * whatever words, and what scores 0 is left out. By bench:prompt without and with it, the current state last: .75 and .90
 * (English), .95 and .95 (Chinese).
 */
export const LEAST_OF_NOW = 0.001;

/** How far a priority tag raises a score towards 1. */
export const PRIORITY_BOOST = 0.5;

/** The importance of memories: their writers rate them from 1 to 10. */
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

/** Most candidates that a reranker reads: its time grows with them, and the right one is mostly among these. */
export const MAX_RERANKED = 50;

/** How many of the first candidates are compared with the question, and how many characters of them together, which takes 20 ms. */
export const FIT_CANDIDATES = 20;
/** The least score of the best hit, so that the others keep their order. */
export const LEAST_FIT = 0.01;
/** Next to a hit that just fits, what fits half as well is returned too: some words name several things. */
export const LEAST_SHARE = 0.5;
/** How many characters of all documents together are compared with a question. */
export const MAX_FIT_READ = 200_000;

/** How many characters of all results together an explanation reads, which takes a second. */
export const MAX_EXPLAINED = 1_000_000;

/** Up to so many rows of a selection are all read and scored by words, even those without a word of the query. */
export const MAX_ROWS_READ = 256;

/** Up to so many rows with a word of the query are read and scored exactly, by their own statistics. */
export const MAX_ROWS_SCORED = 1_000;

/** How many candidates each retriever contributes to the fusion. */
export function candidateLimit(topK: number): number {
  return Math.max(100, 4 * topK);
}

/**
 * Names the derived form of documents (tokens, attributes): a store with another one rebuilds its index from its own
 * vectors. A version that embeds another text of a document has to drop those in a migration.
 */
export const INDEX_VERSION = 5;
