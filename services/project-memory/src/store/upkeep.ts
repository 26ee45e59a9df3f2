import type { PendingFragment, StoreReport } from '../domain/store.ts';
import { toMeanVector } from '../domain/vectors.ts';
import type { Sql } from './database.ts';
import type { VectorType } from './schema.ts';
import { parseVectorText, toVectorText } from './values.ts';

/** Fragments without a vector. */
export function readPending(sql: Sql, limit: number): Promise<readonly PendingFragment[]> {
  return sql.query<PendingFragment>('select id, content from fragments where embedding is null order by id limit $1', [
    limit,
  ]);
}

/** Completes a memory all of whose fragments have vectors now. */
async function completeMemory(sql: Sql, { type }: VectorType, id: string): Promise<void> {
  const rows = await sql.query<{ embedding: string | null }>(
    'select embedding::text as embedding from fragments where memory_id = $1',
    [id],
  );
  const vectors = rows.flatMap(({ embedding }) => (embedding === null ? [] : [parseVectorText(embedding)]));
  if (vectors.length < rows.length) return;
  const mean = toMeanVector(vectors);
  await sql.query(`update memories set embedding_done = true, avg_embedding = $2::${type} where id = $1`, [
    id,
    mean === undefined ? null : toVectorText(mean),
  ]);
}

/** Stores vectors inside a transaction; a fragment that says something else by now is left as it is. */
export async function addEmbeddings(
  sql: Sql,
  vector: VectorType,
  embedded: readonly (PendingFragment & { readonly embedding: Float32Array })[],
): Promise<void> {
  const touched = new Set<string>();
  for (const { id, content, embedding } of embedded) {
    const rows = await sql.query<{ memory: string }>(
      `update fragments set embedding = $3::${vector.type} where id = $1 and content = $2 and embedding is null
       returning memory_id as memory`,
      [id, content, toVectorText(embedding)],
    );
    for (const { memory } of rows) touched.add(memory);
  }
  for (const id of touched) await completeMemory(sql, vector, id);
}

const COUNTS = `
  select (select count(*) from projects)::int as projects, (select count(*) from memories)::int as memories,
         (select count(*) from fragments)::int as fragments, (select count(*) from memory_versions)::int as versions,
         (select count(*) from memory_arbitrations)::int as arbitrations,
         (select count(*) from memories where not embedding_done)::int as pending`;

/** Memories whose fragments are not 0, 1, … up to their count, belong to others, or lack the vectors that they should have. */
const TORN = `
  select m.id from memories m left join fragments f on f.memory_id = m.id
  group by m.id
  having count(f.id) <> m.chunk_count or min(f.chunk_index) is distinct from 0
      or max(f.chunk_index) is distinct from m.chunk_count - 1
      or bool_or(f.owner_id <> m.owner_id or f.project_id <> m.project_id)
      or (m.embedding_done and bool_or(f.embedding is null))
  order by m.id`;

const BROKEN = `
  select m.id from memories m left join memory_versions v on v.memory_id = m.id
  group by m.id
  having count(v.id) <> m.revision - 1 or coalesce(max(v.revision), 0) <> m.revision - 1
  order by m.id`;

/** Counts rows and looks for those that do not fit each other. */
export async function inspect(sql: Sql): Promise<StoreReport> {
  const [counts] = await sql.query<Omit<StoreReport, 'torn' | 'broken'>>(COUNTS);
  const idsOf = async (text: string) => (await sql.query<{ id: string }>(text)).map(({ id }) => id);
  const none = { projects: 0, memories: 0, fragments: 0, versions: 0, arbitrations: 0, pending: 0 };
  return { ...none, ...counts, torn: await idsOf(TORN), broken: await idsOf(BROKEN) };
}
