// The plain baselines: what anybody writes in an afternoon. They share no code with the product's ranking (but for the lexical
// vectors, which are one of its parts), so that a change of its tokeniser or its stop words leaves them where they were.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbedder } from '@contextloom/llm';
import { cosineSimilarity } from '@contextloom/retrieval';
import { openDatabase } from '@contextloom/sqlite';
import { toTerms } from './terms.mjs';

const K1 = 1.5;
/** Up to so many characters a text is a turn of a conversation, whose neighbours tell what it is about. */
const LONGEST_TURN = 400;

const countAll = (terms) => {
  const counts = new Map();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** The documents of one user by their terms. */
function createIndex(documents) {
  const postings = new Map();
  const lengths = [];
  for (const [at, { content }] of documents.entries()) {
    const terms = toTerms(content);
    lengths.push(terms.length);
    for (const [term, count] of countAll(terms)) {
      if (!postings.has(term)) postings.set(term, []);
      postings.get(term).push([at, count]);
    }
  }
  return { documents, postings, lengths };
}

/** BM25 with Lucene's idf; `b` is how far length is normalised. */
function createBm25({ documents, postings, lengths }, b) {
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return (query) => {
    const scores = new Float64Array(documents.length);
    for (const term of new Set(toTerms(query))) {
      const holders = postings.get(term) ?? [];
      const idf = Math.log(1 + (documents.length - holders.length + 0.5) / (holders.length + 0.5));
      for (const [at, count] of holders) {
        scores[at] += (idf * count * (K1 + 1)) / (count + K1 * (1 - b + (b * lengths[at]) / meanLength));
      }
    }
    return scores;
  };
}

/** The cosine of tf-idf vectors, (1 + ln tf) × ln(1 + N / df). */
function createCosine({ documents, postings }) {
  const idfOf = (term) => Math.log(1 + documents.length / (postings.get(term)?.length ?? documents.length));
  const norms = new Float64Array(documents.length);
  for (const [term, holders] of postings) {
    const idf = idfOf(term);
    for (const [at, count] of holders) norms[at] += ((1 + Math.log(count)) * idf) ** 2;
  }
  return (query) => {
    const scores = new Float64Array(documents.length);
    for (const [term, asked] of countAll(toTerms(query))) {
      const idf = idfOf(term);
      for (const [at, count] of postings.get(term) ?? []) {
        scores[at] += (1 + Math.log(asked)) * idf * (1 + Math.log(count)) * idf;
      }
    }
    return scores.map((score, at) => (score === 0 ? 0 : score / Math.sqrt(norms[at])));
  };
}

const toShares = (scores) => {
  const most = scores.reduce((best, score) => Math.max(best, score), 0);
  return most === 0 ? scores : scores.map((score) => score / most);
};

/** For each document the index of the one `offset` places on in its conversation. */
function createNeighbours(documents) {
  const places = new Map(documents.map(({ metadata: { sequence, position } }, at) => [`${sequence}\n${position}`, at]));
  return (at, offset) => {
    const { sequence, position } = documents[at].metadata;
    return sequence === undefined ? undefined : places.get(`${sequence}\n${position + offset}`);
  };
}

const isQuestion = (text) => /[?？]["'”’)]*\s*$/u.test(text);
const isTurn = ({ content, metadata }) => metadata.sequence !== undefined && content.length < LONGEST_TURN;

/** Forty plain lines: BM25 (b = 1) and the cosine averaged, and what a turn gives to those around it. */
function createFortyLines(index, userFactor) {
  const { documents } = index;
  const [bm25, cosine] = [createBm25(index, 1), createCosine(index)];
  const neighbourOf = createNeighbours(documents);
  const turns = documents.map(isTurn);
  const asks = documents.map(({ content }) => isQuestion(content));
  return (query) => {
    const byCosine = toShares(cosine(query));
    const own = toShares(bm25(query)).map((score, at) => (score + byCosine[at]) / 2);
    const scores = own.map((score, at) => (turns[at] && asks[at] ? 0.75 * score : score));
    for (const [at, score] of own.entries()) {
      if (score === 0 || !turns[at]) continue;
      const gifts = [
        [1, asks[at] ? 0.7 : 0.4],
        [-1, 0.3],
        [2, 0.2],
        [-2, 0.2],
      ];
      for (const [offset, share] of gifts) {
        const to = neighbourOf(at, offset);
        if (to !== undefined && turns[to]) scores[to] += share * score;
      }
    }
    if (userFactor === 1) return scores;
    return scores.map((score, at) => (documents[at].metadata.speaker === 'user' ? userFactor * score : score));
  };
}

/** SQLite's full-text index with its Porter stemmer and its bm25(); Chinese in pairs, for want of spaces. */
function createFts5(documents) {
  const folder = mkdtempSync(join(tmpdir(), 'contextloom-panel-'));
  const migrations = ["CREATE VIRTUAL TABLE texts USING fts5(content, tokenize = 'porter unicode61')"];
  const database = openDatabase({ file: join(folder, 'texts.sqlite'), migrations });
  // The open files stay until the process ends.
  rmSync(folder, { recursive: true, force: true });
  const spaced = (text) =>
    text.replace(/\p{Script=Han}+/gu, (run) => {
      const glyphs = [...run];
      const pairs = glyphs.slice(1).map((glyph, at) => glyphs[at] + glyph);
      return ` ${(pairs.length > 0 ? pairs : glyphs).join(' ')} `;
    });
  const insert = database.prepare('INSERT INTO texts (rowid, content) VALUES (?, ?)');
  database.transaction(() => {
    for (const [at, { content }] of documents.entries()) insert.run(at + 1, spaced(content));
  })();
  const find = database.prepare('SELECT rowid, -bm25(texts) AS score FROM texts WHERE texts MATCH ?');
  return (query) => {
    const scores = new Float64Array(documents.length);
    const words = new Set(spaced(query.toLowerCase()).match(/[\p{L}\p{N}]+/gu) ?? []);
    if (words.size === 0) return scores;
    const rows = find.all([...words].map((word) => `"${word}"`).join(' OR '));
    // A word of more than half of all texts has an idf below 0: what matches is found all the same.
    for (const { rowid, score } of rows) scores[rowid - 1] = Math.max(score, 1e-9);
    return scores;
  };
}

/** The vectors of an embedder, alone. */
async function createVectors(documents, embedder) {
  const vectors = await embedder.embed(documents.map(({ content }) => content));
  return async (query) => {
    const [asked] = await embedder.embed([query]);
    return Float64Array.from(vectors, (vector) => cosineSimilarity(asked, vector));
  };
}

/**
 * The baselines of the documents of one user, by name: each scores all of them for a question.
 * @param embedders by the names of their baselines
 */
async function createBaselines(documents, embedders) {
  const vectors = [];
  for (const [name, embedder] of Object.entries(embedders))
    vectors.push([name, await createVectors(documents, embedder)]);
  const index = createIndex(documents);
  const hasUser = documents.some(({ metadata }) => metadata.speaker === 'user');
  return {
    'BM25 b .75': createBm25(index, 0.75),
    'BM25 b 1': createBm25(index, 1),
    'tf-idf cosine': createCosine(index),
    'forty lines': createFortyLines(index, 1),
    ...(hasUser && { 'forty lines, user twice': createFortyLines(index, 2) }),
    'SQLite FTS5': createFts5(documents),
    ...Object.fromEntries(vectors),
  };
}

/** The best documents, ties in their order; what scores nothing is not found. */
function toHits(documents, scores, depth) {
  return documents
    .map(({ id }, at) => ({ id, score: scores[at] }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, depth);
}

async function openEmbedders({ embeddingProvider, embeddingModel, embeddingBaseUrl } = {}) {
  const lexical = await createEmbedder({ provider: 'lexical' });
  if (embeddingProvider === undefined) return { 'lexical vectors': lexical };
  const settings = { provider: embeddingProvider, model: embeddingModel, baseUrl: embeddingBaseUrl };
  return { 'lexical vectors': lexical, 'vectors of the encoder': await createEmbedder(settings) };
}

/**
 * Asks the baselines every question.
 * @param embedding the embedder of the knowledge base, whose vectors alone are a baseline too
 * @returns by name, one answer `{hits, milliseconds}` for each question
 */
export async function askBaselines({ documents, questions }, depth, embedding) {
  const embedders = await openEmbedders(embedding);
  const byUser = new Map();
  for (const user of new Set(documents.map((document) => document.user))) {
    const own = documents.filter((document) => document.user === user);
    byUser.set(user, { own, baselines: await createBaselines(own, embedders) });
  }
  const answers = new Map();
  for (const { user, question } of questions) {
    const { own, baselines } = byUser.get(user);
    for (const [name, search] of Object.entries(baselines)) {
      const from = performance.now();
      const hits = toHits(own, await search(question), depth);
      if (!answers.has(name)) answers.set(name, []);
      answers.get(name).push({ hits, milliseconds: performance.now() - from });
    }
  }
  return answers;
}
