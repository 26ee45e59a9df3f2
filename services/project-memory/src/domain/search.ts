import { cutSnippet, findMatches } from '@contextloom/retrieval';
import {
  chooseFitting,
  fuseRanks,
  type QueryTokens,
  type RelevanceScale,
  toQuestionTokens,
  wordsAlone,
} from '@contextloom/retrieval/ranking';
import type { ContentType } from './content-types.ts';
import { type ProjectName, type Reach, toProjectFilter } from './project.ts';
import type { FragmentHit, MemoryStore, Passage, Selection } from './store.ts';
import { toEndOfUnit } from './timestamps.ts';

/** What is looked for. */
export interface SearchRequest extends ProjectName {
  readonly query: string;
  readonly scope: ContentType | 'all';
  readonly limit: number;
  /** Below this nothing fits; as the embedder has it when absent. */
  readonly min_score?: number | undefined;
  /** A Unix time: memories are searched as they were then. */
  readonly as_of?: number | undefined;
}

/** A memory that was found, shown by its best fragment. */
export interface SearchHit {
  readonly id: string;
  readonly snippet: string;
  readonly content_type: ContentType;
  /** Its relevance in [0,1], which means the same in every search. */
  readonly score: number;
  readonly ts: number;
  readonly chunk_index: number;
  readonly total_chunks: number;
}

/** What a search had to do without, since it could not be used: the vector of the query, the reranker that is set. */
export const missingParts = ['vectors', 'reranker'] as const;

/** What a search came to. */
export interface SearchAnswer {
  readonly without: readonly (typeof missingParts)[number][];
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

/** How many fragments of a list are fused, at the least. */
const POOL = 100;
/** How many memories are read, the first of both lists: what fits a question is among them. */
const READ = 100;
/** How many memories a reranker reads. */
const RERANKED = 50;
/** A snippet has at most so many characters; an ellipsis counts as one. */
const SNIPPET_LENGTH = 200;

/** The first fragment of each memory, in the order of a list. */
function toBestFragments(hits: readonly FragmentHit[]): ReadonlyMap<string, FragmentHit> {
  const best = new Map<string, FragmentHit>();
  for (const hit of hits) if (!best.has(hit.memoryId)) best.set(hit.memoryId, hit);
  return best;
}

/** The order that a reranker gives to the first of a list; undefined when it gives none. */
async function reorder(
  passages: readonly Passage[],
  query: string,
  rerank: NonNullable<SearchOptions['rerank']>,
): Promise<readonly Passage[] | undefined> {
  if (passages.length < 2) return passages;
  const read = passages.slice(0, RERANKED);
  const scores = await rerank(
    query,
    read.map(({ content }) => content),
  );
  if (scores === undefined) return undefined;
  const order = read.map((passage, at) => ({ passage, score: scores[at] ?? 0 })).sort((a, b) => b.score - a.score);
  return [...order.map(({ passage }) => passage), ...passages.slice(RERANKED)];
}

/** What each list found, and what could not be asked. */
interface Listed {
  readonly byWords: readonly FragmentHit[];
  readonly byMeaning: readonly FragmentHit[] | undefined;
}

/** The passages that both lists bring, in the order of their fused ranks. */
async function readCandidates(
  { byWords, byMeaning = [] }: Listed,
  { selection, limit }: { readonly selection: Selection; readonly limit: number },
  store: SearchOptions['store'],
): Promise<readonly Passage[]> {
  // The fragment with the words shows best why a memory was found.
  const fragments = new Map([...toBestFragments(byMeaning), ...toBestFragments(byWords)]);
  const ranks = fuseRanks([byWords, byMeaning].map((hits) => ({ ids: hits.map(({ memoryId }) => memoryId) })));
  const first = [...ranks.keys()].slice(0, Math.max(limit, READ));
  return store.readPassages(
    selection,
    first.flatMap((id) => fragments.get(id) ?? []),
  );
}

/** The passages that fit, best first, with their relevance. */
function chooseHits(
  passages: readonly Passage[],
  { byMeaning }: Listed,
  { tokens, scale }: { readonly tokens: QueryTokens; readonly scale: RelevanceScale },
) {
  // Best first: of several fragments of a memory the nearest counts.
  const cosines = new Map([...(byMeaning ?? [])].reverse().map(({ memoryId, cosine }) => [memoryId, cosine] as const));
  const texts = passages.map(({ memoryId, content }) => ({
    id: memoryId,
    text: content,
    cosine: cosines.get(memoryId),
  }));
  const { hits, nearest } = chooseFitting(tokens, texts, scale);
  const byId = new Map(passages.map((passage) => [passage.memoryId, passage]));
  const fitting = hits.flatMap(({ id }) => byId.get(id) ?? []);
  return { fitting, scores: new Map(hits.map(({ id, score }) => [id, score])), nearest };
}

/**
 * Builds the first stage of finding: memories by vector and by words, then those that fit the question by their relevance. A
 * memory counts once, at its best fragment.
 */
export function createSearch({ reach, store, embedQuery, scale = wordsAlone, rerank }: SearchOptions) {
  return async ({ query, scope, limit, min_score, as_of, ...project }: SearchRequest): Promise<SearchAnswer> => {
    const contentType = scope === 'all' ? undefined : scope;
    const before = as_of === undefined ? undefined : toEndOfUnit(as_of);
    const selection: Selection = { ...reach, project: toProjectFilter(project), contentType, before };
    const tokens = toQuestionTokens(query);
    const pool = Math.max(POOL, 3 * limit);
    const without: SearchAnswer['without'][number][] = [];
    const findByMeaning = async () => {
      const vector = await embedQuery(query);
      return vector && store.findByVector(selection, vector, pool);
    };
    const [byWords, byMeaning] = await Promise.all([store.findByWords(selection, tokens, pool), findByMeaning()]);
    if (byMeaning === undefined) without.push('vectors');
    const listed = { byWords, byMeaning };
    const passages = await readCandidates(listed, { selection, limit }, store);
    const known = byMeaning === undefined ? wordsAlone : scale;
    const { fitting, scores, nearest } = chooseHits(passages, listed, {
      tokens,
      scale: { ...known, minScore: min_score ?? known.minScore },
    });
    const reordered = rerank && (await reorder(fitting, query, rerank));
    if (rerank !== undefined && reordered === undefined) without.push('reranker');
    const ordered = (reordered ?? fitting).slice(0, limit);
    return { without, total: fitting.length, nearest, results: ordered.map((one) => toHit(one, tokens, scores)) };
  };
}

function toHit(
  { memoryId, content, contentType, ts, chunkIndex, totalChunks }: Passage,
  tokens: QueryTokens,
  scores: ReadonlyMap<string, number>,
): SearchHit {
  return {
    id: memoryId,
    snippet: cutSnippet(content, findMatches(content, tokens), { maxLength: SNIPPET_LENGTH }).text,
    content_type: contentType,
    score: scores.get(memoryId) ?? 0,
    ts,
    chunk_index: chunkIndex,
    total_chunks: totalChunks,
  };
}
