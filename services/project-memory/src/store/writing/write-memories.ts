import { createHash } from 'node:crypto';
import type { MemoryContent } from '../../domain/memory.ts';
import type { Reach } from '../../domain/project.ts';
import type { IngestChange, ProjectOrigin } from '../../domain/store.ts';
import type { ProjectId, Sql } from '../database.ts';
import { inReach, toReached } from '../reading/selection.ts';
import { insertFragments, keepFragments, type MemoryPlace, replaceFragments } from './write-fragments.ts';

/** Finds a text that is stored already. */
export const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** The id of a project, which is created if it is missing. Its row is locked until the transaction ends: writers of a project take turns. */
export async function lockProject(
  sql: Sql,
  { ownerId, key, name, machineName, path }: ProjectOrigin,
): Promise<ProjectId> {
  const [row] = await sql.query<{ id: ProjectId }>(
    `insert into projects (owner_id, project_key, project_name, machine_name, project_path, created_at, updated_at)
     values ($1, $2, coalesce($3, $2), $4, $5, now(), now())
     on conflict (owner_id, project_key) do update set
       project_name = coalesce($3, projects.project_name),
       machine_name = coalesce($4, projects.machine_name),
       project_path = coalesce($5, projects.project_path),
       updated_at = now()
     returning id`,
    [ownerId, key, name ?? null, machineName ?? null, path ?? null],
  );
  return row?.id ?? '';
}

const contentValues = (content: MemoryContent): readonly unknown[] => [
  content.contentType,
  content.content,
  hashOf(content.content),
  content.ts,
  content.summary,
  JSON.stringify(content.tags),
  content.fragments.length,
  content.embedding !== undefined && content.fragments.every(({ embedding }) => embedding !== undefined),
  content.embedding,
  content.endsAt ?? null,
];

/** Writes a memory of its own, with its fragments. */
export async function insertMemory(sql: Sql, place: MemoryPlace, content: MemoryContent): Promise<void> {
  await sql.query(
    `insert into memories (id, owner_id, project_id, content_type, content, content_hash, ts, summary, tags,
                           chunk_count, embedding_done, avg_embedding, ends_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now(), now())`,
    [place.id, place.ownerId, place.projectId, ...contentValues(content)],
  );
  await insertFragments(sql, place, content.fragments);
}

/** Puts a memory's present state into its history. */
export async function keepPresentState(sql: Sql, place: MemoryPlace): Promise<void> {
  await sql.query(
    `insert into memory_versions (memory_id, owner_id, project_id, revision, content_type, content, content_hash, ts,
                                  summary, tags, chunk_count, avg_embedding, created_at, replaced_at)
     select id, owner_id, project_id, revision, content_type, content, content_hash, ts,
            summary, tags, chunk_count, avg_embedding, updated_at, now()
     from memories where owner_id = $1 and id = $2`,
    [place.ownerId, place.id],
  );
  await keepFragments(sql, place);
}

/** Puts a memory's present state into its history and another one in its place; answers the revision that it makes. */
export async function replaceMemory(sql: Sql, place: MemoryPlace, content: MemoryContent): Promise<number> {
  await keepPresentState(sql, place);
  const [row] = await sql.query<{ revision: number }>(
    `update memories set content_type = $3, content = $4, content_hash = $5, ts = $6, summary = $7, tags = $8,
       chunk_count = $9, embedding_done = $10, avg_embedding = $11, ends_at = coalesce($12, ends_at), revision = revision + 1,
       updated_at = now()
     where owner_id = $1 and id = $2 returning revision`,
    [place.ownerId, place.id, ...contentValues(content)],
  );
  await replaceFragments(sql, place, content.fragments);
  return row?.revision ?? 1;
}

/** What was nearest, and what was decided. */
export type Ruling = NonNullable<IngestChange['ruling']>;

/** Notes a verdict, with what undoes it. */
export async function logArbitration(
  sql: Sql,
  place: MemoryPlace,
  { candidate, verdict }: Ruling,
  content: MemoryContent,
  revision: number | null,
): Promise<void> {
  const skipped = verdict.action === 'SKIP' ? content : undefined;
  await sql.query(
    `insert into memory_arbitrations (owner_id, project_id, candidate_memory_id, new_memory_id, action, similarity,
       old_summary, new_summary, model, revision, skipped_type, skipped_content, skipped_ts, ends_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, now())`,
    [
      place.ownerId,
      place.projectId,
      candidate.id,
      skipped === undefined ? place.id : null,
      verdict.action,
      candidate.similarity,
      candidate.summary,
      content.summary,
      verdict.model ?? null,
      revision,
      skipped?.contentType ?? null,
      skipped?.content ?? null,
      skipped?.ts ?? null,
      skipped?.endsAt ?? null,
    ],
  );
}

/**
 * Deletes a memory within reach, inside a transaction; `false` where there is none. Its last state becomes a version, and the
 * present one is empty: nothing finds or lists it, while searches of the past still know what it said.
 */
export async function deleteMemory(sql: Sql, reach: Reach, id: string): Promise<boolean> {
  const { ownerId } = reach;
  const [memory] = await sql.query<Pick<MemoryPlace, 'projectId'>>(
    `select project_id as "projectId" from memories
     where owner_id = $1 and id = $2 and content <> '' and ${inReach(sql.dialect, 'project_id', 3)} ${sql.dialect.lock}`,
    [ownerId, id, toReached(reach)],
  );
  if (memory === undefined) return false;
  await keepPresentState(sql, { id, ownerId, ...memory });
  await sql.query(
    `update memories set content = '', content_hash = $3, summary = '', tags = '[]', chunk_count = 0,
       embedding_done = true, avg_embedding = null, revision = revision + 1, updated_at = now()
     where owner_id = $1 and id = $2`,
    [ownerId, id, hashOf('')],
  );
  await sql.query('delete from fragments where owner_id = $1 and memory_id = $2', [ownerId, id]);
  await sql.query('delete from memory_links where owner_id = $1 and (from_id = $2 or to_id = $2)', [ownerId, id]);
  return true;
}
