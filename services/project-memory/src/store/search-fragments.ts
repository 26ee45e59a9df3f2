import type { Tokens } from '@contextloom/retrieval';
import type { FragmentHit, Passage, Selection } from '../domain/store.ts';
import type { Sql, SqlDatabase } from './database.ts';
import type { PreparedDatabase } from './prepare-database.ts';
import { findProjectIds } from './selection.ts';
import { toLexeme, toVectorText } from './values.ts';

/** Up to so many fragments all are compared, which finds the nearest for certain; the index is for more. */
const EXACT_UP_TO = 10_000;
/** How much a single Chinese character counts next to a pair. */
const UNIGRAM_WEIGHT = 0.25;
/** The fragments of a long memory may follow each other in the index. */
const PER_MEMORY = 4;

const TYPE_FILTER = '($3::text is null or m.content_type = $3)';

async function isSmall(sql: Sql, projectIds: readonly string[]): Promise<boolean> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*)::int as count from (select 1 from fragments where project_id = any($1::uuid[]) limit $2) few',
    [projectIds, EXACT_UP_TO + 1],
  );
  return (row?.count ?? 0) <= EXACT_UP_TO;
}

/** The best fragment of each memory, all fragments of the selection compared. */
const exactText = (type: string): string => `
  select "memoryId", "chunkIndex" from (
    select distinct on (f.memory_id) f.memory_id as "memoryId", f.chunk_index as "chunkIndex",
           f.embedding <=> $4::${type} as distance
    from fragments f join memories m on m.id = f.memory_id
    where f.owner_id = $1 and f.project_id = any($2::uuid[]) and ${TYPE_FILTER} and f.embedding is not null
    order by f.memory_id, f.embedding <=> $4::${type}
  ) best order by distance, "memoryId" limit $5`;

const indexedText = (type: string): string => `
  select f.memory_id as "memoryId", f.chunk_index as "chunkIndex"
  from fragments f join memories m on m.id = f.memory_id
  where f.owner_id = $1 and f.project_id = any($2::uuid[]) and ${TYPE_FILTER} and f.embedding is not null
  order by f.embedding <=> $4::${type} limit $5`;

/** Fragments by cosine, best first: exact in a small selection, by the HNSW index in a large one. */
export async function findByVector(
  database: SqlDatabase,
  { vector, hasIterativeScan }: PreparedDatabase,
  selection: Selection,
  query: Float32Array,
  limit: number,
): Promise<readonly FragmentHit[]> {
  const projectIds = await findProjectIds(database, selection);
  if (projectIds.length === 0) return [];
  const parameters = [selection.ownerId, projectIds, selection.contentType ?? null, toVectorText(query)];
  if (!hasIterativeScan || (await isSmall(database, projectIds))) {
    return database.query<FragmentHit>(exactText(vector.type), [...parameters, limit]);
  }
  return database.transaction(async (sql) => {
    await sql.query('set local hnsw.iterative_scan = relaxed_order');
    await sql.query('set local hnsw.ef_search = 200');
    return sql.query<FragmentHit>(indexedText(vector.type), [...parameters, PER_MEMORY * limit]);
  });
}

/**
 * Rare words count more (idf as in BM25), and a word's share in a fragment does: the best fragment of each memory. Source of
 * the formula: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009; `ts_rank` stands for the term frequency.
 */
const WORDS_TEXT = `
  with asked as (
    select token, weight, lexeme::tsquery as query from unnest($4::text[], $5::float8[], $6::text[]) as a (token, weight, lexeme)
  ), hits as materialized (
    select a.token, f.memory_id, f.chunk_index, a.weight * ts_rank(f.tokens, a.query, 1) as tf
    from asked a join fragments f on f.tokens @@ a.query join memories m on m.id = f.memory_id
    where f.owner_id = $1 and f.project_id = any($2::uuid[]) and ${TYPE_FILTER}
  ), frequencies as (
    select token, count(*)::float8 as n from hits group by token
  ), size as (
    select count(*)::float8 as total from fragments where project_id = any($2::uuid[])
  ), scored as (
    select memory_id, chunk_index, sum(tf * ln(1 + (total - n + 0.5) / (n + 0.5))) as score
    from hits join frequencies using (token) cross join size group by memory_id, chunk_index
  )
  select "memoryId", "chunkIndex" from (
    select distinct on (memory_id) memory_id as "memoryId", chunk_index as "chunkIndex", score
    from scored order by memory_id, score desc, chunk_index
  ) best order by score desc, "memoryId" limit $7`;

/** Fragments by the words of a query, best first. */
export async function findByWords(
  database: SqlDatabase,
  selection: Selection,
  { terms, unigrams }: Tokens,
  limit: number,
): Promise<readonly FragmentHit[]> {
  const tokens = [...terms, ...unigrams];
  const projectIds = tokens.length === 0 ? [] : await findProjectIds(database, selection);
  if (projectIds.length === 0) return [];
  const weights = [...terms.map(() => 1), ...unigrams.map(() => UNIGRAM_WEIGHT)];
  return database.query<FragmentHit>(WORDS_TEXT, [
    ...[selection.ownerId, projectIds, selection.contentType ?? null],
    ...[tokens, weights, tokens.map(toLexeme), limit],
  ]);
}

/** The texts of fragments and what is shown with them, in the order asked; those that are gone by now are left out. */
export async function readPassages(
  sql: Sql,
  ownerId: string,
  hits: readonly FragmentHit[],
): Promise<readonly Passage[]> {
  return sql.query<Passage>(
    `select m.id as "memoryId", f.chunk_index as "chunkIndex", m.chunk_count as "totalChunks",
            m.content_type as "contentType", m.ts::float8 as ts, f.content
     from unnest($2::text[], $3::int[]) with ordinality as asked (memory_id, chunk_index, at)
     join fragments f on f.memory_id = asked.memory_id and f.chunk_index = asked.chunk_index
     join memories m on m.id = f.memory_id
     where f.owner_id = $1 order by asked.at`,
    [ownerId, hits.map(({ memoryId }) => memoryId), hits.map(({ chunkIndex }) => chunkIndex)],
  );
}
