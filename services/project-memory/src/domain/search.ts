import type { ContentType, MissingPart } from '@contextloom/contracts/project-memory';
import { cutSnippet, findMatches } from '@contextloom/retrieval';
import {
  type QueryTokens,
  type RelevanceScale,
  rankTexts,
  readSearchQuery,
  toEmbeddedQuery,
  wordsAlone,
} from '@contextloom/retrieval/ranking';
import { toCosine } from './ingest/vectors.ts';
import { type ProjectName, type Reach, toProjectFilter } from './project.ts';
import type { FragmentHit, MemoryStore, Passage, Selection } from './store.ts';
import { toEndOfUnit } from './timestamps.ts';

/** What is looked for. */
export interface SearchRequest extends ProjectName {
  readonly query: string;
  readonly scope: ContentType | 'all';
  readonly limit: number;
  /** What is less relevant is cut; nothing is when absent. */
  readonly min_score?: number | undefined;
  /** A Unix time: memories are searched as they were then. */
  readonly as_of?: number | undefined;
}

/** A memory that was found, shown by its best fragment. */
export interface SearchHit {
  readonly id: string;
  readonly snippet: string;
  readonly content_type: ContentType;
  /** The same as its relevance. */
  readonly score: number;
  /** In [0, 1]: how much of the question the fragment answers, the same in every store. */
  readonly relevance: number;
  readonly ts: number;
  readonly chunk_index: number;
  readonly total_chunks: number;
}

/** What a search came to. */
export interface SearchAnswer {
  readonly without: readonly MissingPart[];
  readonly results: readonly SearchHit[];
  /** All memories that fit. */
  readonly total: number;
  /** The relevance of the best memory, whether it fits or not. */
  readonly nearest: number;
}

/** What is searched with. */
export interface SearchOptions {
  readonly reach: Reach;
  readonly store: Pick<MemoryStore, 'findByVector' | 'findByWords' | 'readPassages'>;
  /** Undefined while the embedder cannot be used: words find most things. */
  readonly embedQuery: (query: string) => Promise<Float32Array | undefined>;
  /** What relevance means with the embedder; words alone count when absent. */
  readonly scale?: RelevanceScale | undefined;
  readonly rerank?: ((query: string, texts: readonly string[]) => Promise<readonly number[] | undefined>) | undefined;
}

/** How many memories each list has at the least: what fits a question is among them. */
const POOL = 100;
/** How many memories a reranker reads. */
const RERANKED = 50;
/** A snippet has at most so many characters; an ellipsis counts as one. */
const SNIPPET_LENGTH = 200;

/** A fragment that fits, and its relevance. */
interface Hit {
  readonly passage: Passage;
  readonly relevance: number;
}

/** The order that a reranker gives to the first of a list; undefined when it gives none. */
async function reorder(
  hits: readonly Hit[],
  query: string,
  rerank: NonNullable<SearchOptions['rerank']>,
): Promise<readonly Hit[] | undefined> {
  if (hits.length < 2) return hits;
  const read = hits.slice(0, RERANKED);
  const scores = await rerank(
    query,
    read.map(({ passage }) => passage.content),
  );
  if (scores === undefined) return undefined;
  const order = read.map((hit, at) => ({ hit, score: scores[at] ?? 0 })).sort((a, b) => b.score - a.score);
  return [...order.map(({ hit }) => hit), ...hits.slice(RERANKED)];
}

const toId = ({ memoryId, chunkIndex }: FragmentHit): string => `${memoryId}#${chunkIndex}`;

/** The first of each memory, in the order of the list. */
function toDistinct(hits: readonly Hit[]): readonly Hit[] {
  const first = new Map<string, Hit>();
  for (const hit of hits) if (!first.has(hit.passage.memoryId)) first.set(hit.passage.memoryId, hit);
  return [...first.values()];
}

/** Builds the first stage of finding: memories by vector and by words, each once, at its best fragment. */
export function createSearch({ reach, store, embedQuery, scale = wordsAlone, rerank }: SearchOptions) {
  return async ({ query, scope, limit, min_score, as_of, ...project }: SearchRequest): Promise<SearchAnswer> => {
    const contentType = scope === 'all' ? undefined : scope;
    const before = as_of === undefined ? undefined : toEndOfUnit(as_of);
    const selection: Selection = { ...reach, project: toProjectFilter(project), contentType, before };
    const search = readSearchQuery(query);
    const pool = Math.max(POOL, limit);
    const without: SearchAnswer['without'][number][] = [];
    const findByMeaning = async () => {
      const vector = await embedQuery(toEmbeddedQuery(query, search, scale));
      return { vector, byVector: vector === undefined ? [] : await store.findByVector(selection, vector, pool) };
    };
    const [byWords, { vector, byVector }] = await Promise.all([
      store.findByWords(selection, search.tokens, pool),
      findByMeaning(),
    ]);
    if (vector === undefined) without.push('vectors');
    // Those of words stand first, whose order is the same in every engine, and tell their scores.
    const fragments = new Map([...byWords, ...byVector, ...byWords].map((hit) => [toId(hit), hit]));
    const passages = await store.readPassages(selection, [...fragments.values()], vector !== undefined);
    const byId = new Map(passages.map((passage) => [toId(passage), passage]));
    const texts = Array.from(byId, ([id, { content, vector: own }]) => ({
      id,
      text: content,
      words: fragments.get(id)?.words,
      cosine: vector && own && toCosine(own, vector),
    }));
    const options = { scale: vector === undefined ? wordsAlone : scale, minScore: min_score };
    const { hits: ranked, nearest } = rankTexts(search, texts, options);
    const hits = toDistinct(
      ranked.flatMap(({ id, relevance }) => {
        const passage = byId.get(id);
        return passage === undefined ? [] : [{ passage, relevance }];
      }),
    );
    const reordered = rerank && (await reorder(hits, query, rerank));
    if (rerank !== undefined && reordered === undefined) without.push('reranker');
    const results = (reordered ?? hits).slice(0, limit).map((hit) => toHit(hit, search.tokens));
    return { without, total: hits.length, nearest, results };
  };
}

function toHit({ passage, relevance }: Hit, tokens: QueryTokens): SearchHit {
  const { memoryId, content, contentType, ts, chunkIndex, totalChunks } = passage;
  return {
    id: memoryId,
    snippet: cutSnippet(content, findMatches(content, tokens), { maxLength: SNIPPET_LENGTH }).text,
    content_type: contentType,
    score: relevance,
    relevance,
    ts,
    chunk_index: chunkIndex,
    total_chunks: totalChunks,
  };
}
