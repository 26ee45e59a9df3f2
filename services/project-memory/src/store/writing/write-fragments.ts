import type { Fragment } from '../../domain/memory.ts';
import type { ProjectId, Sql } from '../database.ts';

/** Where a memory is written. */
export interface MemoryPlace {
  readonly id: string;
  readonly ownerId: string;
  readonly projectId: ProjectId;
}

/** Rows a statement: a list of values may have 32,766 parameters in SQLite. */
const ROWS = 500;

/** Writes rows of some columns. */
export async function insertRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS) {
    const some = rows.slice(at, at + ROWS);
    const values = some.map((row, nth) => `(${row.map((_, place) => `$${nth * row.length + place + 1}`).join(', ')})`);
    await sql.query(`insert into ${table} (${columns.join(', ')}) values ${values.join(', ')}`, some.flat());
  }
}

const PLACE = ['id', 'memory_id', 'owner_id', 'project_id', 'chunk_index', 'content', 'tokens'];

/** Writes the fragments of a memory's present state, which has none yet. */
export async function insertFragments(
  sql: Sql,
  { id, ownerId, projectId }: MemoryPlace,
  fragments: readonly Fragment[],
): Promise<void> {
  const rows = fragments.map(({ content, embedding }, at) => [
    `${id}#${at}`,
    id,
    ownerId,
    projectId,
    at,
    content,
    sql.dialect.toWords(content),
    embedding,
  ]);
  await insertRows(sql, 'fragments', [...PLACE, 'embedding'], rows);
}

/** Writes the fragments of a memory's present state in place of those that there are. */
export async function replaceFragments(sql: Sql, place: MemoryPlace, fragments: readonly Fragment[]): Promise<void> {
  await sql.query('delete from fragments where owner_id = $1 and memory_id = $2', [place.ownerId, place.id]);
  await insertFragments(sql, place, fragments);
}

/** Keeps the fragments of the present state for searches of the past, and for a rollback. */
export async function keepFragments(sql: Sql, { id, ownerId }: MemoryPlace): Promise<void> {
  await sql.query(
    `insert into version_fragments (id, memory_id, owner_id, project_id, revision, chunk_index, content, tokens, embedding)
     select m.id || '@' || m.revision || '#' || f.chunk_index, m.id, m.owner_id, m.project_id, m.revision, f.chunk_index,
            f.content, f.tokens, f.embedding
     from fragments f join memories m on m.id = f.memory_id and m.owner_id = f.owner_id
     where f.owner_id = $1 and f.memory_id = $2`,
    [ownerId, id],
  );
}

/** Writes the fragments of an earlier state in place of those that there are, without vectors. */
export async function replaceVersionFragments(
  sql: Sql,
  { id, ownerId, projectId }: MemoryPlace,
  revision: number,
  parts: readonly string[],
): Promise<void> {
  const key = [ownerId, id, revision];
  await sql.query('delete from version_fragments where owner_id = $1 and memory_id = $2 and revision = $3', key);
  const rows = parts.map((content, at) => [
    `${id}@${revision}#${at}`,
    id,
    ownerId,
    projectId,
    at,
    content,
    sql.dialect.toWords(content),
    revision,
  ]);
  await insertRows(sql, 'version_fragments', [...PLACE, 'revision'], rows);
  await sql.query(
    'update memory_versions set chunk_count = $4 where owner_id = $1 and memory_id = $2 and revision = $3',
    [...key, parts.length],
  );
}
