import { cutSnippet, findMatches } from '@contextloom/retrieval';
import { fuseRanks, toQueryTokens } from '@contextloom/retrieval/ranking';
import type { ContentType } from './content-types.ts';
import { type ProjectName, type Reach, toProjectFilter } from './project.ts';
import type { FragmentHit, MemoryStore, Passage, Selection } from './store.ts';
import { toEndOfUnit } from './timestamps.ts';

/** What is looked for. */
export interface SearchRequest extends ProjectName {
  readonly query: string;
  readonly scope: ContentType | 'all';
  readonly limit: number;
  /** A Unix time: memories are searched as they were then. */
  readonly as_of?: number | undefined;
}

/** A memory that was found, shown by its best fragment. */
export interface SearchHit {
  readonly id: string;
  readonly snippet: string;
  readonly content_type: ContentType;
  /** 0 to 1: 1 for what leads both lists, 0.5 for what leads one and is not in the other. */
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
  /** All memories that the two lists name. */
  readonly total: number;
}

/** What is searched with. */
export interface SearchOptions {
  readonly reach: Reach;
  readonly store: Pick<MemoryStore, 'findByVector' | 'findByWords' | 'readPassages'>;
  /** Undefined while the embedder cannot be used: words find most things. */
  readonly embedQuery: (query: string) => Promise<Float32Array | undefined>;
  readonly rerank?: ((query: string, texts: readonly string[]) => Promise<readonly number[] | undefined>) | undefined;
}

/** How many fragments of a list are fused, at the least. */
const POOL = 100;
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

/**
 * Builds the first stage of finding: memories by vector and by words, fused by rank (k = 60). A memory counts once, at its best
 * fragment; one that only the vectors find stays in the list whatever the words find.
 */
export function createSearch({ reach, store, embedQuery, rerank }: SearchOptions) {
  return async ({ query, scope, limit, as_of, ...project }: SearchRequest): Promise<SearchAnswer> => {
    const contentType = scope === 'all' ? undefined : scope;
    const before = as_of === undefined ? undefined : toEndOfUnit(as_of);
    const selection: Selection = { ...reach, project: toProjectFilter(project), contentType, before };
    const tokens = toQueryTokens(query);
    const pool = Math.max(POOL, 3 * limit);
    const without: SearchAnswer['without'][number][] = [];
    const findByMeaning = async () => {
      const vector = await embedQuery(query);
      return vector && store.findByVector(selection, vector, pool);
    };
    const [byWords, byMeaning] = await Promise.all([store.findByWords(selection, tokens, pool), findByMeaning()]);
    if (byMeaning === undefined) without.push('vectors');
    const lists = byMeaning === undefined ? [byWords] : [byWords, byMeaning];
    // The fragment with the words shows best why a memory was found.
    const fragments = new Map([...lists].reverse().flatMap((hits) => [...toBestFragments(hits)]));
    // A list without hits counts all the same: what only one of two lists has is not as sure as what leads both.
    const scores = fuseRanks(
      lists.map((hits) => ({ ids: hits.map(({ memoryId }) => memoryId) })),
      { k: 60 },
    );
    const shown = [...scores.keys()].slice(0, rerank === undefined ? limit : Math.max(limit, RERANKED));
    const passages = await store.readPassages(
      selection,
      shown.flatMap((id) => fragments.get(id) ?? []),
    );
    const reordered = rerank && (await reorder(passages, query, rerank));
    if (rerank !== undefined && reordered === undefined) without.push('reranker');
    const ordered = (reordered ?? passages).slice(0, limit);
    return { without, total: scores.size, results: ordered.map((passage) => toHit(passage, tokens, scores)) };
  };
}

function toHit(
  { memoryId, content, contentType, ts, chunkIndex, totalChunks }: Passage,
  tokens: ReturnType<typeof toQueryTokens>,
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
