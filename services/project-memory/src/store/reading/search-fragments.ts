import type { QueryTokens } from '@contextloom/retrieval/ranking';
import type { FragmentHit, Passage, Selection } from '../../domain/store.ts';
import type { Sql, SqlDatabase } from '../database.ts';
import { toLexeme, toVectorText } from '../values.ts';
import { findProjectIds } from './selection.ts';
import { comparesAll, readIndexOn, type VectorSearch } from './vector-search.ts';

/** How much a single Chinese character counts next to a pair. */
const UNIGRAM_WEIGHT = 0.25;
/** Most terms that stand for those of a query: each is looked up like a word of its own. */
const MAX_EXPANSIONS = 200;
/** The fragments of a long memory may follow each other in the index. */
const PER_MEMORY = 4;

/** The fragments of a selection: owner $1, projects $2, type $3; those of states from before the Unix time $4, if there is one. */
const PRESENT = `
  select f.memory_id, f.chunk_index, f.content, f.tokens, f.embedding, m.content_type, m.ts, m.chunk_count,
         m.created_at, m.content_hash
  from fragments f join memories m on m.id = f.memory_id and m.owner_id = f.owner_id
  where f.owner_id = $1 and f.project_id = any($2::uuid[]) and ($3::text is null or m.content_type = $3)
    and ($4::float8 is null or m.updated_at < to_timestamp($4))`;

/** A memory has one state at a time: the present one, or that which was replaced later. */
const AT_A_TIME = `${PRESENT}
  union all
  select f.memory_id, f.chunk_index, f.content, f.tokens, f.embedding, v.content_type, v.ts, v.chunk_count,
         v.created_at, v.content_hash
  from version_fragments f
  join memory_versions v on v.memory_id = f.memory_id and v.revision = f.revision and v.owner_id = f.owner_id
  where f.owner_id = $1 and f.project_id = any($2::uuid[]) and ($3::text is null or v.content_type = $3)
    and v.created_at < to_timestamp($4::float8) and v.replaced_at >= to_timestamp($4)`;

const sourceOf = ({ before }: Selection): string => (before === undefined ? PRESENT : AT_A_TIME);

const toParameters = ({ ownerId, contentType, before }: Selection, projectIds: readonly string[]): unknown[] => [
  ...[ownerId, projectIds, contentType ?? null, before ?? null],
];

/** What settles a tie: ids are drawn by lot, and would show the same memories in another order on another machine. */
const TIE = 'f.ts, f.created_at, f.content_hash';
const NEWEST_FIRST = 'ts desc, created_at desc, content_hash';

/** The best fragment of each memory, all fragments of the selection compared. */
const exactText = (source: string, type: string): string => `
  select "memoryId", "chunkIndex", 1 - distance as cosine from (
    select distinct on (f.memory_id) f.memory_id as "memoryId", f.chunk_index as "chunkIndex",
           f.embedding <=> $5::${type} as distance, ${TIE}
    from (${source}) f where f.embedding is not null
    order by f.memory_id, f.embedding <=> $5::${type}, f.chunk_index
  ) best order by distance, ${NEWEST_FIRST} limit $6`;

/** An index that is read on in relaxed order answers nearly in order: `+ 0` has the rest sorted. */
const indexedText = (type: string): string => `
  with near as materialized (
    select f.memory_id, f.chunk_index, f.embedding <=> $5::${type} as distance, ${TIE}
    from (${PRESENT}) f where f.embedding is not null
    order by f.embedding <=> $5::${type} limit $6
  )
  select memory_id as "memoryId", chunk_index as "chunkIndex", 1 - distance as cosine from near order by distance + 0, ${NEWEST_FIRST}, chunk_index`;

/** Fragments by cosine, best first: exact in a small selection and in the past, by the HNSW index in a large one. */
export async function findByVector(
  database: SqlDatabase,
  search: VectorSearch,
  selection: Selection,
  query: Float32Array,
  limit: number,
): Promise<readonly FragmentHit[]> {
  const projectIds = await findProjectIds(database, selection);
  if (projectIds.length === 0) return [];
  const parameters = [...toParameters(selection, projectIds), toVectorText(query)];
  const compareAll = () =>
    database.query<FragmentHit>(exactText(sourceOf(selection), search.vector.type), [...parameters, limit]);
  const { ownerId, before } = selection;
  if (before !== undefined || (await comparesAll(database, search, 'fragments', ownerId, projectIds)))
    return compareAll();
  const wanted = PER_MEMORY * limit;
  const hits = await database.transaction(async (sql) => {
    await readIndexOn(sql, 'relaxed_order');
    return sql.query<FragmentHit>(indexedText(search.vector.type), [...parameters, wanted]);
  });
  // The scan of an index ends after hnsw.max_scan_tuples: what a rare filter lets through may lie behind them.
  return hits.length < wanted ? compareAll() : hits;
}

/**
 * Rare words count more (idf as in BM25), and a word's share in a fragment does: the best fragment of each memory. Source of
 * the formula: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009; `ts_rank` stands for the term frequency.
 */
const wordsText = (source: string): string => `
  with asked as materialized (
    select token, weight, lexeme::tsquery as query
    from unnest($5::text[], $6::float8[], $7::text[]) as a (token, weight, lexeme)
  ), size as materialized (
    select count(*)::float8 as total from fragments where owner_id = $1 and project_id = any($2::uuid[])
  ), hits as (
    select f.memory_id, f.chunk_index, a.weight * ts_rank(f.tokens, a.query, 1) as tf,
           count(*) over (partition by a.token)::float8 as n, ${TIE}
    from (${source}) f join asked a on f.tokens @@ a.query where f.tokens @@ $9::tsquery
  ), scored as (
    select memory_id, chunk_index, sum(tf * ln(1 + (greatest((select total from size), n) - n + 0.5) / (n + 0.5))) as score,
           ${TIE}
    from hits f group by memory_id, chunk_index, ${TIE}
  )
  select "memoryId", "chunkIndex" from (
    select distinct on (memory_id) memory_id as "memoryId", chunk_index as "chunkIndex", score, ${TIE}
    from scored f order by memory_id, score desc, chunk_index
  ) best order by score desc, ${NEWEST_FIRST} limit $8`;

/** Fragments by the words of a query, best first. */
export async function findByWords(
  database: SqlDatabase,
  selection: Selection,
  { terms, unigrams, expansions = [] }: QueryTokens,
  limit: number,
): Promise<readonly FragmentHit[]> {
  const own = new Set([...terms, ...unigrams]);
  const others = new Map(expansions.filter(({ term }) => !own.has(term)).map(({ term, weight }) => [term, weight]));
  const standIns = [...others].sort(([, a], [, b]) => b - a).slice(0, MAX_EXPANSIONS);
  const tokens = [...own, ...standIns.map(([term]) => term)];
  const projectIds = tokens.length === 0 ? [] : await findProjectIds(database, selection);
  if (projectIds.length === 0) return [];
  const lexemes = tokens.map(toLexeme);
  const inText = [...terms.map(() => 1), ...unigrams.map(() => UNIGRAM_WEIGHT)];
  const weights = [...inText, ...standIns.map(([, weight]) => weight)];
  return database.query<FragmentHit>(wordsText(sourceOf(selection)), [
    ...[...toParameters(selection, projectIds), tokens, weights, lexemes, limit, lexemes.join(' | ')],
  ]);
}

/** The texts of fragments and what is shown with them, in the order asked; those that are gone by now are left out. */
export async function readPassages(
  sql: Sql,
  selection: Selection,
  hits: readonly FragmentHit[],
): Promise<readonly Passage[]> {
  return sql.query<Passage>(
    `select f.memory_id as "memoryId", f.chunk_index as "chunkIndex", f.chunk_count as "totalChunks",
            f.content_type as "contentType", f.ts::float8 as ts, f.content
     from unnest($5::text[], $6::int[]) with ordinality as asked (memory_id, chunk_index, at)
     join (${sourceOf(selection)}) f on f.memory_id = asked.memory_id and f.chunk_index = asked.chunk_index
     order by asked.at`,
    [
      ...toParameters(selection, await findProjectIds(sql, selection)),
      ...[hits.map(({ memoryId }) => memoryId), hits.map(({ chunkIndex }) => chunkIndex)],
    ],
  );
}
