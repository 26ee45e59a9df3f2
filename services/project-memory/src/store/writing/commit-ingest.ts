import { ContextloomError } from '@contextloom/contracts';
import type { Candidate, IngestChange, IngestOutcome } from '../../domain/store.ts';
import type { Sql } from '../database.ts';
import { findNearest } from '../reading/nearest-memories.ts';
import type { VectorSearch } from '../reading/vector-search.ts';
import type { VectorType } from '../schema/schema.ts';
import { type MemoryPlace, vectorOf } from './write-fragments.ts';
import { hashOf, insertMemory, lockProject, logArbitration, type Ruling, replaceMemory } from './write-memories.ts';

/** Whether what was ruled on is what is nearest now. */
function stands(ruled: Candidate | undefined, now: Candidate | undefined): boolean {
  return ruled?.id === now?.id && ruled?.revision === now?.revision;
}

async function readTime(sql: Sql, { id, ownerId }: MemoryPlace): Promise<number> {
  const [row] = await sql.query<{ ts: number }>(
    'select ts::float8 as ts from memories where owner_id = $1 and id = $2',
    [ownerId, id],
  );
  return row?.ts ?? 0;
}

/** The memory of a project with the same text. */
async function findIdentical(
  sql: Sql,
  { project: { ownerId }, content: { content } }: IngestChange,
  projectId: string,
): Promise<Candidate | undefined> {
  const [found] = await sql.query<Candidate>(
    `select id, revision, content_type as "contentType", summary, 1 as similarity from memories
     where owner_id = $1 and project_id = $2 and content_hash = $3 and content = $4 order by ts, created_at limit 1`,
    [ownerId, projectId, hashOf(content), content],
  );
  return found;
}

/** Puts a text in the place of a stored memory, and logs it. */
async function replaceBy(
  sql: Sql,
  vector: VectorType,
  { project: { ownerId }, content }: IngestChange,
  projectId: string,
  ruling: Ruling,
): Promise<IngestOutcome> {
  const place = { id: ruling.candidate.id, ownerId, projectId };
  const revision = await replaceMemory(sql, vector, place, content);
  await logArbitration(sql, place, ruling, content, revision);
  return { status: 'updated', id: place.id, ts: content.ts };
}

/** A text that is stored already stays as it is, but for its type. */
async function keepIdentical(
  sql: Sql,
  vector: VectorType,
  change: IngestChange,
  projectId: string,
  candidate: Candidate,
): Promise<IngestOutcome> {
  const { project, newId, content } = change;
  // This change itself, whose answer was lost with the process that held the database.
  if (candidate.id === newId) return { status: 'created', id: newId, ts: content.ts, candidates: [] };
  if (candidate.contentType === content.contentType) {
    const place = { id: candidate.id, ownerId: project.ownerId, projectId };
    return { status: 'skipped', id: candidate.id, ts: await readTime(sql, place) };
  }
  return replaceBy(sql, vector, change, projectId, { candidate, verdict: { action: 'REPLACE' } });
}

/** The memory of a project that the caller says a text replaces. */
async function findNamed(
  sql: Sql,
  { type }: VectorType,
  { project: { ownerId }, content, replaces }: IngestChange,
  projectId: string,
): Promise<Candidate> {
  const [found] = await sql.query<Candidate>(
    `select id, revision, content_type as "contentType", summary,
            coalesce(1 - (avg_embedding <=> $4::${type}), 0) as similarity
     from memories where owner_id = $1 and project_id = $2 and id = $3`,
    [ownerId, projectId, replaces, vectorOf(content)],
  );
  if (found !== undefined) return found;
  throw new ContextloomError('not_found', `there is no memory ${replaces} in this project`, { field: 'replaces' });
}

/**
 * Puts a text in the place of the memory that the caller names. Where the text was stored as a memory of its own before, such as
 * when the other was offered as a candidate, that one is taken back: one subject, one memory.
 */
async function replaceNamed(
  sql: Sql,
  vector: VectorType,
  change: IngestChange,
  projectId: string,
): Promise<IngestOutcome> {
  const { ownerId } = change.project;
  const candidate = await findNamed(sql, vector, change, projectId);
  const twin = await findIdentical(sql, change, projectId);
  if (twin?.id === candidate.id) return keepIdentical(sql, vector, change, projectId, twin);
  if (twin !== undefined && twin.revision > 1) {
    const message = `the text is that of ${twin.id}, which has earlier states of its own`;
    throw new ContextloomError('conflict', message, { field: 'replaces' });
  }
  if (twin !== undefined) {
    await sql.query('delete from memories where owner_id = $1 and id = $2', [ownerId, twin.id]);
  }
  return replaceBy(sql, vector, change, projectId, { candidate, verdict: { action: 'REPLACE' } });
}

/** Carries out one ingest inside a transaction. */
export async function commitIngest(sql: Sql, search: VectorSearch, change: IngestChange): Promise<IngestOutcome> {
  const { vector } = search;
  const { project, newId, content, otherwise } = change;
  const { ownerId } = project;
  const projectId = await lockProject(sql, project);
  if (change.replaces !== undefined) return replaceNamed(sql, vector, change, projectId);
  const identical = await findIdentical(sql, change, projectId);
  if (identical !== undefined) return keepIdentical(sql, vector, change, projectId, identical);
  const near = await findNearest(sql, search, change, projectId);
  const [nearest] = near;
  const ruling = change.ruling ?? (nearest && otherwise && { candidate: nearest, verdict: otherwise });
  if (!stands(ruling?.candidate, nearest)) return { status: 'stale', nearest };
  const action = ruling?.verdict.action;
  if (ruling !== undefined && action === 'REPLACE') return replaceBy(sql, vector, change, projectId, ruling);
  const place = { id: ruling !== undefined && action === 'SKIP' ? ruling.candidate.id : newId, ownerId, projectId };
  if (action !== 'SKIP') await insertMemory(sql, vector, place, content);
  if (ruling !== undefined) await logArbitration(sql, place, ruling, content, null);
  if (action === 'SKIP') return { status: 'skipped', id: place.id, ts: await readTime(sql, place) };
  const candidates = ruling?.verdict.model === undefined ? near : [];
  return { status: 'created', id: newId, ts: content.ts, candidates };
}
