import type { Fragment } from '../../domain/memory.ts';
import type { Sql } from '../database.ts';
import type { VectorType } from '../schema/schema.ts';
import { toTsvectorText, toVectorText } from '../values.ts';

/** Where a memory is written. */
export interface MemoryPlace {
  readonly id: string;
  readonly ownerId: string;
  readonly projectId: string;
}

/** A vector as a statement takes it. */
export const vectorOf = ({ embedding }: { readonly embedding?: Float32Array | undefined }): string | null =>
  embedding === undefined ? null : toVectorText(embedding);

/** Writes the fragments of a memory's present state, which has none yet. */
export async function insertFragments(
  sql: Sql,
  { type }: VectorType,
  { id, ownerId, projectId }: MemoryPlace,
  fragments: readonly Fragment[],
): Promise<void> {
  await sql.query(
    `insert into fragments (id, memory_id, owner_id, project_id, chunk_index, content, tokens, embedding)
     select $1 || '#' || (f.at - 1), $1, $2, $3, f.at - 1, f.content, f.tokens::tsvector, f.embedding::${type}
     from unnest($4::text[], $5::text[], $6::text[]) with ordinality as f (content, tokens, embedding, at)`,
    [
      ...[id, ownerId, projectId],
      fragments.map(({ content }) => content),
      fragments.map(({ content }) => toTsvectorText(content)),
      fragments.map(vectorOf),
    ],
  );
}

/** Writes the fragments of a memory's present state in place of those that there are. */
export async function replaceFragments(
  sql: Sql,
  vector: VectorType,
  place: MemoryPlace,
  fragments: readonly Fragment[],
): Promise<void> {
  await sql.query('delete from fragments where owner_id = $1 and memory_id = $2', [place.ownerId, place.id]);
  await insertFragments(sql, vector, place, fragments);
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
  await sql.query(
    `insert into version_fragments (id, memory_id, owner_id, project_id, revision, chunk_index, content, tokens)
     select $2 || '@' || $3::int || '#' || (f.at - 1), $2, $1, $4, $3, f.at - 1, f.content, f.tokens::tsvector
     from unnest($5::text[], $6::text[]) with ordinality as f (content, tokens, at)`,
    [...key, projectId, parts, parts.map(toTsvectorText)],
  );
  await sql.query(
    'update memory_versions set chunk_count = $4 where owner_id = $1 and memory_id = $2 and revision = $3',
    [...key, parts.length],
  );
}
