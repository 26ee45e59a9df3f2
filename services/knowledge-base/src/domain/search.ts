import type { Document, SearchRequest, SearchResult } from '@contextloom/contracts';
import type { Tokens } from '@contextloom/retrieval';
import type { DocumentStore, Selection } from '../store/store.ts';
import { type BoostOptions, toBoostOptions } from './boosts.ts';
import { createEmbedQuery, type EmbedQuery, type TextEmbedder } from './embedder.ts';
import { explain } from './explanation.ts';
import { toQueryTokens } from './indexing.ts';
import type { Isolation, KnowledgeBase } from './knowledge-base.ts';
import { toOrder } from './order.ts';
import { type Ranked, type Ranking, rank, rankAnew } from './ranking.ts';
import { createRerank, type Rerank, type Reranking } from './reranking.ts';
import { toSelection } from './selection.ts';
import { candidateLimit, MAX_EXPLAINED, MAX_RERANKED, vectorWeight } from './tuning.ts';

/** What searching works with. */
export interface SearchOptions {
  readonly store: DocumentStore;
  readonly embedder: TextEmbedder;
  /** Reads the first candidates once more beside the query, when there is one. */
  readonly reranking?: Reranking | undefined;
  readonly isolation: Isolation;
  readonly clock: () => Date;
  /** Told how far a rebuilding is, of searches without a vector, and of those that the reranker failed. */
  readonly log?: Record<'info' | 'warn', (fields: object, message: string) => void>;
}

/** Gives the documents of candidates by their ids, those that are still there. */
type ReadDocuments = (ranked: readonly Ranked[]) => Promise<ReadonlyMap<string, Document>>;

/** What one search works with. */
interface Search {
  readonly request: SearchRequest;
  readonly selection: Selection;
  readonly tokens: Tokens;
  readonly boosts: BoostOptions;
  readonly read: ReadDocuments;
}

/** Reads each document once, and only those that the store did not give with the candidates. */
function createReadDocuments(store: DocumentStore, selection: Selection): ReadDocuments {
  const known = new Map<string, Document>();
  return async (ranked) => {
    for (const { id, document } of ranked.map(({ candidate }) => candidate)) {
      if (document !== undefined) known.set(id, document);
    }
    const unread = ranked.map(({ candidate }) => candidate.id).filter((id) => !known.has(id));
    const records = unread.length === 0 ? [] : await store.read(unread, selection);
    for (const { document } of records) known.set(document.id, document);
    return known;
  };
}

/** What each way of searching finds; for an empty query, what the filter leaves in the order of a listing. */
async function findRankings(
  { request, selection, tokens }: Search,
  { store, embedder }: SearchOptions,
  embedQuery: EmbedQuery,
): Promise<readonly Ranking[]> {
  const limit = candidateLimit(request.top_k);
  if (request.query.trim() === '') {
    const { documents } = await store.list(selection, { limit });
    const candidates = documents.map((document) => {
      const { importance, time = Date.parse(document.created_at) } = toOrder(document.metadata);
      return { id: document.id, tags: document.tags, importance, time, document };
    });
    return [{ way: 'listing', candidates, weight: 1 }];
  }
  const vector = await embedQuery(request.query);
  const { byWords, byVector } = await store.find({ tokens, vector }, selection, limit);
  return [
    { way: 'words', candidates: byWords, weight: 1 },
    { way: 'vector', candidates: byVector, weight: vectorWeight(embedder.identity) },
  ];
}

/** Has the first of the candidates read once more; their order stays when that cannot be done. */
async function rerankFirst(
  ranked: readonly Ranked[],
  { request: { query }, boosts, read }: Search,
  rerank: Rerank,
): Promise<readonly Ranked[]> {
  if (query.trim() === '') return ranked;
  const first = ranked.slice(0, MAX_RERANKED);
  const documents = await read(first);
  const there = first.flatMap(({ candidate: { id } }) => documents.get(id) ?? []);
  const scores = await rerank(
    query,
    there.map(({ content }) => content),
  );
  if (scores === undefined) return ranked;
  return rankAnew(ranked, new Map(there.map(({ id }, at) => [id, scores[at] ?? Number.NEGATIVE_INFINITY])), boosts);
}

async function toResults(
  ranked: readonly Ranked[],
  { request, tokens, read }: Search,
): Promise<readonly SearchResult[]> {
  const best = ranked.slice(0, request.top_k);
  const documents = await read(best);
  const limit = Math.floor(MAX_EXPLAINED / Math.max(10, best.length));
  return best.flatMap((one) => {
    const found = documents.get(one.candidate.id);
    if (found === undefined) return []; // Deleted since it was found.
    const { id, content, tags, metadata } = found;
    const document = { id, content, tags, metadata };
    const explained = request.explain === true ? explain(one, content, tokens, limit) : {};
    return [{ ...document, score: one.score, document, ...explained }];
  });
}

/** Builds the search by words and by nearness, best first. */
export function createSearch(options: SearchOptions): KnowledgeBase['search'] {
  const { store, embedder, reranking, isolation, clock, log } = options;
  const warnOf = (message: string) => (cause: unknown) => log?.warn({ cause }, message);
  const embedQuery = createEmbedQuery(embedder, {
    clock,
    onFailure: warnOf('searching by words alone: the query could not be embedded'),
  });
  const onFailure = warnOf('searching without the reranker: it gave no usable scores');
  const rerank = reranking && createRerank(reranking, { clock, onFailure });
  return async (request) => {
    const selection = toSelection(request, isolation);
    const search: Search = {
      ...{ request, selection, tokens: toQueryTokens(request.query), boosts: toBoostOptions(request) },
      read: createReadDocuments(store, selection),
    };
    const ranked = rank(await findRankings(search, options, embedQuery), search.boosts);
    return toResults(rerank === undefined ? ranked : await rerankFirst(ranked, search, rerank), search);
  };
}
