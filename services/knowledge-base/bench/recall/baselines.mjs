// What the knowledge base is held against. The baselines share no code with it (but for the vectors), so that a change
// of its tokeniser or its stop words leaves them where they were.
import { createEmbedder } from '@contextloom/llm';
import { cosineSimilarity } from '@contextloom/retrieval';
import { toPatterns, toTerms as toStemsAnd } from '../panel/terms.mjs';

const BM25 = { k1: 1.5, b: 0.75 };
/** Stemmed words without stop words, and the pairs and single characters of Chinese. */
function toTerms(text) {
  return toStemsAnd(text, (run) => {
    const characters = [...run];
    return [...characters.slice(1).map((character, at) => characters[at] + character), ...characters];
  });
}

/** The best documents by score, ties in the order of the conversation; what scores nothing is not found. */
function best(documents, scoreOf, depth) {
  return documents
    .map((document, at) => ({ id: document.id, score: scoreOf(at) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, depth)
    .map(({ id }) => id);
}

const countAll = (terms) => {
  const counts = new Map();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** Plain BM25 over the documents of one user. */
export function createBm25(documents) {
  const counted = documents.map(({ content }) => countAll(toTerms(content)));
  const lengths = counted.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const holders = countAll(counted.flatMap((counts) => [...counts.keys()]));
  const rarity = (term) => {
    const holding = holders.get(term) ?? 0;
    return Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
  };
  const weigh = (term, at) => {
    const count = counted[at].get(term) ?? 0;
    const norm = BM25.k1 * (1 - BM25.b + (BM25.b * lengths[at]) / meanLength);
    return (rarity(term) * count * (BM25.k1 + 1)) / (count + norm);
  };
  return async (query, depth) => {
    const terms = [...new Set(toTerms(query))];
    return best(documents, (at) => terms.reduce((sum, term) => sum + weigh(term, at), 0), depth);
  };
}

/** How many of the query's words stand in a document, as parts of words or whole. */
export function createGrep(documents) {
  const texts = documents.map(({ content }) => content.toLowerCase());
  return async (query, depth) => {
    const patterns = toPatterns(query);
    return best(documents, (at) => patterns.filter((pattern) => texts[at].includes(pattern)).length, depth);
  };
}

/** The vectors that need no model, alone. */
export async function createLexicalVectors(documents) {
  const embedder = await createEmbedder({ provider: 'lexical' });
  const vectors = await embedder.embed(documents.map(({ content }) => content));
  return async (query, depth) => {
    const [asked] = await embedder.embed([query]);
    return best(documents, (at) => cosineSimilarity(asked, vectors[at]), depth);
  };
}

/**
 * BM25 over whole sessions, each of them one text. It ranks sessions only, by all that was said in them, where the others
 * go by the best turn: a bar for what reads sessions and not turns.
 */
export function createSessionBm25(documents) {
  const texts = new Map();
  for (const { session, content } of documents) texts.set(session, `${texts.get(session) ?? ''}${content}\n`);
  return createBm25([...texts].map(([id, content]) => ({ id, content })));
}
