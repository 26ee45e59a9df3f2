import type { FoundDocuments, SearchRequest, SearchResult, StoredDocument } from '@contextloom/contracts';
import { cutSnippet, findMatches } from '@contextloom/retrieval';
import {
  MAX_COMPARED,
  measureRelevance,
  type QueryTokens,
  type RelevanceScale,
  readSearchQuery,
  type SearchQuery,
  shareRelevance,
  toEmbeddedQuery,
  toExpandedTerms,
  toRelevanceScale,
  wordsAlone,
} from '@contextloom/retrieval/ranking';
import { createTimeSlices } from '@contextloom/runtime/scheduling';
import type { WithoutFilter } from '../documents/scope.ts';
import { type EmbedQuery, embedOne, type Rerank, type TextEmbedder } from '../embedder.ts';
import { toIndexedText } from '../indexing/indexing.ts';
import { fitCandidates, type ReadDocuments, toCandidate } from '../ranking/fit-candidates.ts';
import { applyReranking, type Ranked, type Ranking, rank, rankListing } from '../ranking/ranking.ts';
import type { Candidate, DocumentStore, KeyedDocument, Selection } from '../store.ts';
import { candidateLimit, LEAST_SCORE, MAX_EXPLAINED, MAX_FIT_READ, MAX_RERANKED } from './tuning.ts';

/** The parts of a document that a question is compared with. */
type FittedDocument = Pick<StoredDocument, 'id' | 'content' | 'keys'>;

/** What a question is compared with documents by. */
interface FitOptions {
  readonly tokens: QueryTokens;
  readonly scale: RelevanceScale;
}

const toCosines = (rankings: readonly Ranking[]): ReadonlyMap<string, number> =>
  new Map(
    rankings
      .filter(({ retriever }) => retriever === 'vector')
      .flatMap(({ hits }) => hits.map(({ candidate, score }) => [candidate.id, score] as const)),
  );

/** The relevance of each document to the question by itself, in [0,1] and comparable between searches. */
function measureFit(
  documents: readonly FittedDocument[],
  rankings: readonly Ranking[],
  { tokens, scale }: FitOptions,
): ReadonlyMap<string, number> {
  const cosines = toCosines(rankings);
  const passages = documents.map((document) => ({
    id: document.id,
    text: toIndexedText(document),
    cosine: cosines.get(document.id),
  }));
  return measureRelevance(tokens, passages, { ...scale, limit: MAX_FIT_READ });
}

/**
 * Explains a result's score, and cuts out its best passage. The scores of the two lists are those of the store: they are comparable
 * within one list alone, not between lists, searches, selections or stores.
 * @param limit how much of the content is read, in UTF-16 code units
 */
function explain(
  { lists: { words, vector }, fit, rerank, boosts, score }: Ranked,
  content: string,
  query: QueryTokens,
  limit: number,
): Pick<SearchResult, 'explain' | 'snippet'> {
  const matches = findMatches(content, { ...query, terms: toExpandedTerms(query) }, { limit });
  const { text, ranges } = cutSnippet(content, matches);
  const terms = [...new Set(matches.map(({ token }) => token))];
  const { own, fromNeighbours, form, recency, value } = fit;
  return {
    explain: {
      words: words === undefined ? null : { ...words, terms },
      vector: vector ?? null,
      fused: value,
      ...(fromNeighbours > 0 && { neighbours: { own, given: fromNeighbours } }),
      ...(form !== 1 && { form }),
      ...(recency !== 1 && { recency }),
      ...(rerank !== undefined && { rerank }),
      boosts,
      score,
    },
    snippet: { text, ranges: ranges.map((range) => [...range]) },
  };
}

/** The parts of a search. */
export interface SearchOptions {
  readonly store: DocumentStore;
  readonly embedder: TextEmbedder;
  /** Embeds queries instead of the embedder; one that gives up in time lets the search go on by words. */
  readonly embedQuery?: EmbedQuery;
  /** Scores the first candidates together with the query. */
  readonly rerank?: Rerank | undefined;
  readonly clock: () => Date;
  /** Gets the progress of a rebuild. */
  readonly log?: Record<'info' | 'warn', (fields: object, message: string) => void>;
}

/** What one search works with. */
interface Search {
  readonly request: WithoutFilter<SearchRequest>;
  readonly selection: Selection;
  readonly question: SearchQuery;
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

/** The hits of each retriever. */
async function findRankings(
  { request, selection, question }: Search,
  { store, embedder }: SearchOptions,
  embedQuery: EmbedQuery,
): Promise<readonly Ranking[]> {
  const vector = await embedQuery(toEmbeddedQuery(request.query, question, toRelevanceScale(embedder.identity)));
  const { byWords, byVector } = await store.find(
    { tokens: question.tokens, vector },
    selection,
    candidateLimit(request.top_k),
  );
  return [
    { retriever: 'words', hits: byWords },
    { retriever: 'vector', hits: byVector },
  ];
}

/** Reranks the first candidates; their order stays when the reranker fails. */
async function rerankFirst(
  ranked: readonly Ranked[],
  { request: { query, priority_tags }, read }: Search,
  rerank: Rerank,
): Promise<readonly Ranked[]> {
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
    priority_tags,
  );
}

/** Whether the query matches a candidate: a tag alone does not make it an answer. */
const hasEvidence = ({ fit }: Ranked): boolean => fit.value > 0;

/** The relevance scale of a search: without vectors, that of words alone. */
function toScale(rankings: readonly Ranking[], { embedder }: SearchOptions): RelevanceScale {
  const hasVectors = rankings.some(({ retriever, hits }) => retriever === 'vector' && hits.length > 0);
  return hasVectors ? toRelevanceScale(embedder.identity) : wordsAlone;
}

/** How much of the question any of the first candidates tells. */
async function measureBest(
  ranked: readonly Ranked[],
  rankings: readonly Ranking[],
  { search: { question, read }, scale }: { readonly search: Search; readonly scale: RelevanceScale },
): Promise<number> {
  if (question.isEmpty) return 0;
  const first = ranked.slice(0, MAX_COMPARED).map(({ candidate }) => candidate);
  const documents = await read(first);
  const there = first.flatMap(({ id }) => documents.get(id) ?? []);
  return Math.max(0, ...measureFit(there, rankings, { tokens: question.soughtTokens, scale }).values());
}

/** Puts results in the order of time that a search asks for; `relevance` leaves them as they are. */
function sortByTime(ranked: readonly Ranked[], sort: SearchRequest['sort'] = 'relevance'): readonly Ranked[] {
  if (sort === 'relevance') return ranked;
  const sign = sort === 'newest' ? -1 : 1;
  const compare = (a: Candidate, b: Candidate): number => sign * (a.time - b.time) || (a.id < b.id ? -1 : 1);
  return [...ranked].sort((a, b) => compare(a.candidate, b.candidate));
}

async function toResults(
  ranked: readonly Ranked[],
  { request, question: { tokens }, read }: Search,
  { best, relevanceOf }: { readonly best: number; readonly relevanceOf: (fit: number) => number },
): Promise<readonly SearchResult[]> {
  const first = sortByTime(ranked.slice(0, request.top_k), request.sort);
  const documents = await read(first.map(({ candidate }) => candidate));
  const limit = Math.floor(MAX_EXPLAINED / Math.max(10, first.length));
  return first.flatMap((one) => {
    const found = documents.get(one.candidate.id);
    if (found === undefined) return []; // Deleted since it was found.
    const { id, content, tags, metadata } = found;
    const document = { id, content, tags, metadata };
    const score = Math.max(best, LEAST_SCORE) * one.score;
    const explained = request.explain === true ? explain({ ...one, score }, content, tokens, limit) : {};
    return [{ ...document, score, relevance: relevanceOf(one.fit.value), document, ...explained }];
  });
}

/** What the filter leaves, in the order of a listing. */
async function toListing(search: Search, { store }: SearchOptions): Promise<readonly SearchResult[]> {
  const { sort, top_k, priority_tags } = search.request;
  const { documents } = await store.list(search.selection, { limit: candidateLimit(top_k), sort });
  // A priority tag would move a document out of its place in time.
  const isByTime = sort !== undefined && sort !== 'relevance';
  return toResults(rankListing(documents.map(toCandidate), isByTime ? [] : priority_tags), search, {
    best: 1,
    relevanceOf: () => 1,
  });
}

/** Finds the documents of a selection. */
type FindDocuments = (request: WithoutFilter<SearchRequest>, selection: Selection) => Promise<FoundDocuments>;

/** Builds the search by words and by nearness, best first. */
export function createSearch(options: SearchOptions): FindDocuments {
  const { store, embedder, embedQuery = embedOne(embedder), rerank } = options;
  // Searches that start together would otherwise tokenise and embed all their queries before other work gets a turn.
  const run = createTimeSlices();
  return async (request, selection) => {
    const question = await run(() => readSearchQuery(request.query));
    const search: Search = { request, selection, question, read: createReadDocuments(store, selection) };
    if (request.query.trim() === '') return { results: await toListing(search, options) };
    const rankings = await findRankings(search, options, (query) => run(() => embedQuery(query)));
    const scale = toScale(rankings, options);
    const fitting = await fitCandidates(rankings, search, { store, scale });
    const ranked = rank(rankings, fitting, request.priority_tags).filter(hasEvidence);
    const best = await measureBest(ranked, rankings, { search, scale });
    const { min_score: least = 0 } = request;
    const relevanceOf = shareRelevance(
      ranked.map(({ fit }) => fit.value),
      best,
    );
    const relevant = ranked.filter(({ fit }) => relevanceOf(fit.value) >= least);
    const nearest = ranked.reduce((most, { fit }) => Math.max(most, relevanceOf(fit.value)), 0);
    if (relevant.length === 0) return { results: [], nearest_score: nearest };
    const order = rerank === undefined ? relevant : await rerankFirst(relevant, search, rerank);
    const results = await toResults(order, search, { best, relevanceOf });
    return results.length === 0 ? { results, nearest_score: nearest } : { results, confidence: best };
  };
}
