import type { SplitContent } from '../../domain/ingest/prepare.ts';
import { toMeanVector } from '../../domain/ingest/vectors.ts';
import type { PendingFragment, StoreReport } from '../../domain/store.ts';
import type { Sql, StoredVector } from '../database.ts';
import { type MemoryPlace, replaceFragments, replaceVersionFragments } from './write-fragments.ts';

const pendingOf = (table: string, rank: number): string => `
  select * from (
    select id, owner_id as "ownerId", content, ${rank} as rank from ${table}
    where embedding is null and owner_id = $1 order by id limit $2) ${table}`;

/** Fragments of an owner without a vector, those of present states first. Other owners' texts are for their own servers' embedder. */
export function readPending(sql: Sql, ownerId: string, limit: number): Promise<readonly PendingFragment[]> {
  const [present, earlier] = [pendingOf('fragments', 0), pendingOf('version_fragments', 1)];
  return sql.query<PendingFragment>(`${present} union all ${earlier} order by rank, id limit $2`, [ownerId, limit]);
}

/** Completes a memory all of whose fragments have vectors now. */
async function completeMemory(sql: Sql, { id, ownerId }: Owned): Promise<void> {
  const { dialect } = sql;
  const rows = await sql.query<{ embedding: StoredVector | null }>(
    `select ${dialect.vector('embedding')} as embedding from fragments where owner_id = $1 and memory_id = $2`,
    [ownerId, id],
  );
  const vectors = rows.flatMap(({ embedding }) => (embedding === null ? [] : [dialect.toVector(embedding)]));
  if (vectors.length < rows.length) return;
  const mean = toMeanVector(vectors);
  await sql.query('update memories set embedding_done = true, avg_embedding = $3 where owner_id = $1 and id = $2', [
    ownerId,
    id,
    mean,
  ]);
}

type Owned = Pick<MemoryPlace, 'id' | 'ownerId'>;

type Embedded = PendingFragment & { readonly embedding: Float32Array };

/**
 * Stores vectors of one owner's fragments; one that says something else by now is left as it is. The memories are locked before
 * their fragments, as by all who write both: the other way round, two would wait for each other.
 */
async function addOwned(sql: Sql, ownerId: string, embedded: readonly Embedded[]): Promise<void> {
  const ids = embedded.map(({ id }) => id);
  const memories = await sql.query<Owned>(
    `select id, owner_id as "ownerId" from memories
     where owner_id = $1 and id in (select memory_id from fragments where owner_id = $1 and ${sql.dialect.oneOf('id', 2)})
     order by id ${sql.dialect.lock}`,
    [ownerId, ids],
  );
  for (const { id, content, embedding } of embedded) {
    for (const table of ['fragments', 'version_fragments']) {
      await sql.query(
        `update ${table} set embedding = $4 where owner_id = $1 and id = $2 and content = $3 and embedding is null`,
        [ownerId, id, content, embedding],
      );
    }
  }
  for (const memory of memories) await completeMemory(sql, memory);
}

/** Stores vectors inside a transaction, owner by owner in one order: Citus writes where an owner's rows are. */
export async function addEmbeddings(sql: Sql, embedded: readonly Embedded[]): Promise<void> {
  for (const ownerId of [...new Set(embedded.map((fragment) => fragment.ownerId))].sort()) {
    const owned = embedded.filter((fragment) => fragment.ownerId === ownerId);
    await addOwned(sql, ownerId, owned);
  }
}

const COUNTS = `
  select (select count(*) from projects) as projects, (select count(*) from memories) as memories,
         (select count(*) from fragments) as fragments, (select count(*) from memory_versions) as versions,
         (select count(*) from memory_arbitrations) as arbitrations,
         (select count(*) from memories where content <> '' and not embedding_done) as pending`;

/** Of a deleted memory there are none. Memories whose fragments are not 0, 1, … up to their count, belong to others, or lack the vectors that they should have. */
const TORN = `
  select m.id as id from memories m left join fragments f on f.memory_id = m.id and f.owner_id = m.owner_id
  group by m.id, m.owner_id, m.project_id, m.chunk_count, m.embedding_done
  having count(f.id) <> m.chunk_count or (m.chunk_count > 0 and min(f.chunk_index) is distinct from 0)
      or (m.chunk_count > 0 and max(f.chunk_index) is distinct from m.chunk_count - 1) or count(*) filter (where f.project_id <> m.project_id) > 0
      or (m.embedding_done and count(*) filter (where f.id is not null and f.embedding is null) > 0)
  union
  select v.memory_id from memory_versions v left join version_fragments f
    on f.memory_id = v.memory_id and f.revision = v.revision and f.owner_id = v.owner_id
  group by v.memory_id, v.owner_id, v.revision, v.project_id, v.chunk_count
  having count(f.id) <> v.chunk_count or count(*) filter (where f.project_id <> v.project_id) > 0
  order by id`;

const BROKEN = `
  select m.id from memories m left join memory_versions v on v.memory_id = m.id and v.owner_id = m.owner_id
  group by m.id, m.owner_id, m.revision
  having count(v.id) <> m.revision - 1 or coalesce(max(v.revision), 0) <> m.revision - 1
  order by m.id`;

/** Counts rows and looks for those that do not fit each other. */
export async function inspect(sql: Sql): Promise<StoreReport> {
  const [counts] = await sql.query<Omit<StoreReport, 'torn' | 'broken'>>(COUNTS);
  const idsOf = async (text: string) => (await sql.query<{ id: string }>(text)).map(({ id }) => id);
  const none = { projects: 0, memories: 0, fragments: 0, versions: 0, arbitrations: 0, pending: 0 };
  return { ...none, ...counts, torn: await idsOf(TORN), broken: await idsOf(BROKEN) };
}

interface StoredText extends MemoryPlace {
  readonly content: string;
}

/** Makes the fragments of a memory and of its versions again from the texts, inside a transaction; their vectors are made later. */
export async function rewriteFragments(sql: Sql, id: string, split: SplitContent): Promise<void> {
  const owners = await sql.query<Owned>('select id, owner_id as "ownerId" from memories where id = $1', [id]);
  for (const { ownerId } of owners) {
    const [memory] = await sql.query<StoredText>(
      `select id, owner_id as "ownerId", project_id as "projectId", content from memories
       where owner_id = $1 and id = $2 ${sql.dialect.lock}`,
      [ownerId, id],
    );
    if (memory === undefined) continue;
    const fragments = split(memory.content).map((content) => ({ content }));
    await replaceFragments(sql, memory, fragments);
    await sql.query(
      `update memories set chunk_count = $3, embedding_done = false, avg_embedding = null
       where owner_id = $1 and id = $2`,
      [ownerId, id, fragments.length],
    );
    const versions = await sql.query<{ revision: number; content: string }>(
      'select revision, content from memory_versions where owner_id = $1 and memory_id = $2',
      [ownerId, id],
    );
    for (const { revision, content } of versions) await replaceVersionFragments(sql, memory, revision, split(content));
  }
}
