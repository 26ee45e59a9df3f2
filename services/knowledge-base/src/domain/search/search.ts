import type { FoundDocuments, SearchRequest, SearchResult } from '@contextloom/contracts';
import { findChineseWords, type Question, readQuestion } from '@contextloom/retrieval';
import {
  expandQuery,
  type QueryTokens,
  type RelevanceScale,
  type Thesaurus,
  toQueryTokens,
  toRelevanceScale,
  wordsAlone,
} from '@contextloom/retrieval/ranking';
import { createTimeSlices } from '@contextloom/retrieval/scheduling';
import type { WithoutFilter } from '../documents/scope.ts';
import { type EmbedQuery, embedOne, type Rerank, type TextEmbedder } from '../embedder.ts';
import { asksForMemories, type BoostOptions, toBoostOptions } from '../ranking/boosts.ts';
import { fusionOf, type Ranking } from '../ranking/fusion.ts';
import { applyReranking, type Ranked, rank, toCandidates } from '../ranking/ranking.ts';
import { type ReadDocuments, scoreRelevance, toCandidate } from '../ranking/relevance.ts';
import type { Candidate, DocumentStore, KeyedDocument, Selection } from '../store.ts';
import { explain } from './explanation.ts';
import { measureFit } from './fit.ts';
import { candidateLimit, FIT_CANDIDATES, LEAST_FIT, LEAST_SHARE, MAX_EXPLAINED, MAX_RERANKED } from './tuning.ts';

/** The parts of a search. */
export interface SearchOptions {
  readonly store: DocumentStore;
  readonly embedder: TextEmbedder;
  /** Embeds queries instead of the embedder; one that gives up in time lets the search go on by words. */
  readonly embedQuery?: EmbedQuery;
  /** Scores the first candidates together with the query. */
  readonly rerank?: Rerank | undefined;
  /** Finds words related to those of the query. */
  readonly thesaurus?: Thesaurus | undefined;
  readonly clock: () => Date;
  /** Gets the progress of a rebuild, and a warning for a search without related words. */
  readonly log?: Record<'info' | 'warn', (fields: object, message: string) => void>;
}

/** What one search works with. */
interface Search {
  readonly request: WithoutFilter<SearchRequest>;
  readonly selection: Selection;
  readonly question: Question;
  readonly tokens: QueryTokens;
  readonly boosts: BoostOptions;
  readonly read: ReadDocuments;
}

/** Reads each document once, and only those that the store did not give with the candidates. */
function createReadDocuments(store: DocumentStore, selection: Selection): ReadDocuments {
  const known = new Map<string, KeyedDocument>();
  return async (candidates) => {
    for (const { id, document } of candidates) {
      if (document !== undefined) known.set(id, document);
    }
    const unread = candidates.map(({ id }) => id).filter((id) => !known.has(id));
    const records = unread.length === 0 ? [] : await store.read(unread, selection);
    for (const { document } of records) known.set(document.id, document);
    return known;
  };
}

/** What a query looks for; a greeting is looked for as it stands. */
function toQuestion(query: string): Question {
  const question = readQuestion(query);
  return question.isEmpty ? { ...question, words: query } : question;
}

/** The tokens of a search without those that what is looked for lacks. */
function toSought({ words, sought }: Question, tokens: QueryTokens): QueryTokens {
  if (words === sought) return tokens;
  const { terms, unigrams } = toQueryTokens(sought);
  const isSought = (token: string): boolean => terms.includes(token) || unigrams.includes(token);
  const expansions = tokens.expansions?.filter(({ of }) => isSought(of));
  const found = { ...tokens, terms: tokens.terms.filter(isSought), words: findChineseWords(sought) };
  return { ...found, ...(expansions !== undefined && { expansions }) };
}

/** The hits of each retriever; for an empty query, what the filter leaves in the order of a listing. */
async function findRankings(
  { request, selection, question, tokens }: Search,
  { store, embedder }: SearchOptions,
  embedQuery: EmbedQuery,
): Promise<readonly Ranking[]> {
  const limit = candidateLimit(request.top_k);
  if (request.query.trim() === '') {
    const { documents } = await store.list(selection, { limit, sort: request.sort });
    return [
      { retriever: 'listing', hits: documents.map((one) => ({ candidate: toCandidate(one), score: 0 })), weight: 1 },
    ];
  }
  // A model reads a question as a whole; the lexical embedder sees its words, and those that ask are in texts about anything.
  const vector = await embedQuery(fusionOf(embedder.identity) === 'scores' ? question.words : request.query);
  const { byWords, byVector } = await store.find({ tokens, vector }, selection, limit);
  return [
    { retriever: 'words', hits: byWords, weight: 1 },
    { retriever: 'vector', hits: byVector, weight: 1 },
  ];
}

/** Reranks the first candidates; their order stays when the reranker fails. */
async function rerankFirst(
  ranked: readonly Ranked[],
  { request: { query }, boosts, read }: Search,
  rerank: Rerank,
): Promise<readonly Ranked[]> {
  if (query.trim() === '') return ranked;
  const first = ranked.slice(0, MAX_RERANKED);
  const documents = await read(first.map(({ candidate }) => candidate));
  const there = first.flatMap(({ candidate: { id } }) => documents.get(id) ?? []);
  const scores = await rerank(
    query,
    there.map(({ content }) => content),
  );
  if (scores === undefined) return ranked;
  return applyReranking(
    ranked,
    new Map(there.map(({ id }, at) => [id, scores[at] ?? Number.NEGATIVE_INFINITY])),
    boosts,
  );
}

/** Whether the query matches a candidate: a tag or its importance alone does not make it an answer. */
const hasEvidence = ({ relevance }: Ranked): boolean => relevance.value > 0;

/** The relevance scale of a search: without vectors, that of words alone. */
function toScale(rankings: readonly Ranking[], { embedder }: SearchOptions): RelevanceScale {
  const hasVectors = rankings.some(({ retriever, hits }) => retriever === 'vector' && hits.length > 0);
  return hasVectors ? toRelevanceScale(embedder.identity) : wordsAlone;
}

/** How relevant the candidates are to the question, each by itself. */
async function fitCandidates(
  candidates: readonly Candidate[],
  rankings: readonly Ranking[],
  { search: { question, tokens, read }, scale }: { readonly search: Search; readonly scale: RelevanceScale },
): Promise<ReadonlyMap<string, number>> {
  const documents = await read(candidates);
  const there = candidates.flatMap(({ id }) => documents.get(id) ?? []);
  return measureFit(there, rankings, { tokens: toSought(question, tokens), scale });
}

/** Turns of a conversation answer each other in words of their own: none of them need have a word of the question. */
const isAlone = ({ place }: Candidate): boolean => place === undefined;

const toBest = (fit: ReadonlyMap<string, number>): number => Math.max(0, ...fit.values());

/** Puts results in the order of time that a search asks for; `relevance` leaves them as they are. */
function sortByTime(ranked: readonly Ranked[], sort: SearchRequest['sort'] = 'relevance'): readonly Ranked[] {
  if (sort === 'relevance') return ranked;
  const sign = sort === 'newest' ? -1 : 1;
  const compare = (a: Candidate, b: Candidate): number => sign * (a.time - b.time) || (a.id < b.id ? -1 : 1);
  return [...ranked].sort((a, b) => compare(a.candidate, b.candidate));
}

async function toResults(
  ranked: readonly Ranked[],
  { request, question, tokens, read }: Search,
  best: number,
): Promise<readonly SearchResult[]> {
  const first = sortByTime(ranked.slice(0, request.top_k), request.sort);
  const documents = await read(first.map(({ candidate }) => candidate));
  const limit = Math.floor(MAX_EXPLAINED / Math.max(10, first.length));
  const isMemory = asksForMemories(request);
  return first.flatMap((one) => {
    const found = documents.get(one.candidate.id);
    if (found === undefined) return []; // Deleted since it was found.
    const { id, content, tags, metadata } = found;
    const document = { id, content, tags, metadata };
    const score = best * one.score;
    const explained = request.explain === true ? explain({ ...one, score }, content, tokens, limit) : {};
    const relevance = isMemory ? { relevance: question.isEmpty ? 0 : best * one.relevance.value } : {};
    return [{ ...document, score, ...relevance, document, ...explained }];
  });
}

/** What the filter leaves, in the order of a listing. */
function toListing(rankings: readonly Ranking[], search: Search): Promise<readonly SearchResult[]> {
  const { sort } = search.request;
  // A boost would move a document out of its place in time.
  const isByTime = sort !== undefined && sort !== 'relevance';
  return toResults(rank(rankings, isByTime ? {} : search.boosts), search, 1);
}

/** Finds the documents of a selection. */
type FindDocuments = (request: WithoutFilter<SearchRequest>, selection: Selection) => Promise<FoundDocuments>;

/** Builds the search by words and by nearness, best first. */
export function createSearch(options: SearchOptions): FindDocuments {
  const { store, embedder, embedQuery = embedOne(embedder), rerank, thesaurus, log } = options;
  const warnOf = (message: string) => (cause: unknown) => log?.warn({ cause }, message);
  const expansion = {
    thesaurus,
    onFailure: warnOf('searching without related words: the thesaurus could not be read'),
  };
  // Searches that start together would otherwise tokenise and embed all their queries before other work gets a turn.
  const run = createTimeSlices();
  return async (request, selection) => {
    const question = toQuestion(request.query);
    const tokens = await run(() => expandQuery(question.words, expansion));
    const search: Search = {
      ...{ request, selection, question, tokens, boosts: toBoostOptions(request) },
      read: createReadDocuments(store, selection),
    };
    const rankings = await findRankings(search, options, (query) => run(() => embedQuery(query)));
    if (request.query.trim() === '') return { results: await toListing(rankings, search) };
    const scale = toScale(rankings, options);
    const all = [...toCandidates(rankings).values()];
    const isByFit = scale.cosine !== undefined || all.every(isAlone);
    const fit = await fitCandidates(isByFit ? all : all.filter(isAlone), rankings, { search, scale });
    const scored = await scoreRelevance(rankings, { ...search, fit: isByFit ? fit : undefined }, options);
    const ranked = rank(rankings, { ...search.boosts, ...scored }).filter(hasEvidence);
    const first = ranked.slice(0, FIT_CANDIDATES).map(({ candidate }) => candidate);
    const best = toBest(isByFit ? fit : await fitCandidates(first, rankings, { search, scale }));
    const floor = request.min_score ?? scale.minScore;
    const floorOfBest = request.min_score ?? (first.every(isAlone) ? floor : 0);
    if (best < floorOfBest) return { results: [], nearest_score: best };
    const least = request.min_score ?? Math.min(floor, best * LEAST_SHARE);
    const fitting = ranked.filter(({ candidate }) => !isAlone(candidate) || (fit.get(candidate.id) ?? 0) >= least);
    const factor = Math.max(best, LEAST_FIT);
    const order = rerank === undefined ? fitting : await rerankFirst(fitting, search, rerank);
    const results = await toResults(order, search, factor);
    return results.length === 0 ? { results, nearest_score: best } : { results };
  };
}
