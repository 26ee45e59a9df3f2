import type { QueryTokens } from '@contextloom/retrieval/ranking';
import { toMeanVector } from '../../domain/ingest/vectors.ts';
import type { FragmentHit, Selection } from '../../domain/store.ts';
import type { SqlDatabase } from '../database.ts';
import { rankByWords, type Tie, type WordCandidate, type WordCandidates } from '../reading/rank-words.ts';
import { presentFragments, toSource, toSourceParameters } from '../reading/read-passages.ts';
import { findProjectIds } from '../reading/selection.ts';
import { postgresDialect, toLexeme } from './values.ts';
import {
  enableIterativeScan,
  toDistance,
  toIndexedDistance,
  usesExactScan,
  type VectorSearch,
} from './vector-search.ts';

/** The fragments of a long memory may follow each other in the index. */
const PER_MEMORY = 4;

/** What settles a tie: ids are drawn by lot, and would show the same memories in another order on another machine. */
const TIE = 'f.ts, f.created_at, f.content_hash';
const VECTOR = '$5::real[]';
const NEWEST_FIRST = 'ts desc, created_at desc, content_hash';

/** The best fragment of each memory, all fragments of the selection compared. */
const exactText = (search: VectorSearch, source: string): string => `
  select "memoryId", "chunkIndex" from (
    select distinct on (f.memory_id) f.memory_id as "memoryId", f.chunk_index as "chunkIndex",
           ${toDistance(search, 'f.embedding', VECTOR)} as distance, ${TIE}
    from (${source}) f where f.embedding is not null
    order by f.memory_id, distance, f.chunk_index
  ) best order by distance, ${NEWEST_FIRST} limit $6`;

/** The index knows vectors in half precision, and answers nearly in order: what it finds is compared exactly. */
const indexedText = (search: VectorSearch): string => `
  with near as materialized (
    select f.memory_id, f.chunk_index, f.embedding, ${TIE}
    from (${presentFragments(postgresDialect)}) f where f.embedding is not null
    order by ${toIndexedDistance(search, 'f.embedding', VECTOR)} limit $6
  )
  select memory_id as "memoryId", chunk_index as "chunkIndex" from near
  order by ${toDistance(search, 'embedding', VECTOR)}, ${NEWEST_FIRST}, chunk_index`;

/** Fragments by cosine, best first: exact in a small selection and in the past, by the HNSW index in a large one. */
export async function findByVector(
  database: SqlDatabase,
  search: VectorSearch,
  selection: Selection,
  query: Float32Array,
  limit: number,
): Promise<readonly FragmentHit[]> {
  const projectIds = await findProjectIds(database, selection);
  const unit = toMeanVector([query]);
  if (projectIds.length === 0 || unit === undefined) return [];
  const parameters = [...toSourceParameters(selection, projectIds), unit];
  const compareAll = () =>
    database.query<FragmentHit>(exactText(search, toSource(postgresDialect, selection)), [...parameters, limit]);
  const { ownerId, before } = selection;
  if (before !== undefined || (await usesExactScan(database, search, 'fragments', ownerId, projectIds)))
    return compareAll();
  const wanted = PER_MEMORY * limit;
  const hits = await database.transaction(async (sql) => {
    await enableIterativeScan(sql, 'relaxed_order');
    return sql.query<FragmentHit>(indexedText(search), [...parameters, wanted]);
  });
  // The scan of an index ends after hnsw.max_scan_tuples: what a rare filter lets through may lie behind them.
  return hits.length < wanted ? compareAll() : hits;
}

/** So many fragments with a word of a query are weighed, at the most. */
const CANDIDATES = 5_000;

/** Single characters of the scripts that are written without spaces. */
const CJK =
  '[\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u3029\\u3038-\\u30ff\\u3131-\\u318e\\u31f0-\\u31ff\\u3400-\\u9fff\\ua960-\\ua97c\\uac00-\\ud7fb\\uf900-\\ufaff\\U00020000-\\U0003ffff]';

/** The fragments that have one of the words $5, joined in $6, with how often, and how many words they have. */
const wordsText = (source: string): string => `
  with hits as materialized (
    select f.memory_id, f.chunk_index, f.tokens, f.ts, f.created_at, f.content_hash
    from (${source}) f where f.tokens @@ $6::tsquery
    order by ts_rank(f.tokens, $6::tsquery, 1) desc limit ${CANDIDATES}
  )
  select h.memory_id as "memoryId", h.chunk_index as "chunkIndex", h.ts, h.content_hash as hash,
         ${postgresDialect.iso('h.created_at', 'US')} as "createdAt", w.*
  from hits h cross join lateral (
    select coalesce(sum(n) filter (where not is_character), 0) as terms,
           coalesce(sum(n) filter (where is_character), 0) as unigrams,
           jsonb_object_agg(lexeme, n) filter (where lexeme = any($5::text[])) as counts
    from (
      select lexeme, cardinality(positions) as n, char_length(lexeme) = 1 and lexeme ~ '${CJK}' as is_character
      from unnest(h.tokens)
    ) t
  ) w`;

type Candidate = WordCandidate & Tie;

interface CandidateRow extends Omit<Candidate, 'counts'> {
  readonly counts: Readonly<Record<string, number>> | null;
}

/** Fragments by the words of a query, best first. */
export function findByWords(
  database: SqlDatabase,
  selection: Selection,
  tokens: QueryTokens,
  limit: number,
): Promise<readonly FragmentHit[]> {
  const find = async (forms: readonly string[]): Promise<WordCandidates<Candidate>> => {
    const projectIds = await findProjectIds(database, selection);
    const places = new Map(forms.map((form, at) => [form, at]));
    const lexemes = forms.map(toLexeme).join(' | ');
    const parameters = [...toSourceParameters(selection, projectIds), forms, lexemes];
    const rows = await database.query<CandidateRow>(wordsText(toSource(postgresDialect, selection)), parameters);
    const candidates = rows.map(({ counts, ...row }) => ({
      ...row,
      counts: Object.entries(counts ?? {}).map(([form, frequency]) => [places.get(form) ?? 0, frequency] as const),
    }));
    // Of more there are too many to tell how rare a word is among all: it is measured among those that are weighed.
    if (candidates.length === CANDIDATES) return { candidates, population: CANDIDATES };
    const [size] = await database.query<{ count: number }>(
      'select count(*) as count from fragments where owner_id = $1 and project_id = any($2::uuid[])',
      [selection.ownerId, projectIds],
    );
    return { candidates, population: size?.count ?? 0 };
  };
  return rankByWords(tokens, { find, addTies: async (best) => best }, limit);
}
