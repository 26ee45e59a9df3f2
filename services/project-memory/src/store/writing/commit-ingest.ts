import { ContextloomError } from '@contextloom/contracts';
import { toCosine } from '../../domain/ingest/vectors.ts';
import type { Candidate, IngestChange, IngestOutcome } from '../../domain/store.ts';
import type { Finders, ProjectId, Sql, StoredVector } from '../database.ts';
import { putEnd } from './forget-ended.ts';
import type { MemoryPlace } from './write-fragments.ts';
import { hashOf, insertMemory, lockProject, logArbitration, type Ruling, replaceMemory } from './write-memories.ts';

/** Whether what was ruled on is what is nearest now. */
function stands(ruled: Candidate | undefined, now: Candidate | undefined): boolean {
  return ruled?.id === now?.id && ruled?.revision === now?.revision;
}

async function readTime(sql: Sql, { id, ownerId }: MemoryPlace): Promise<number> {
  const [row] = await sql.query<{ ts: number }>('select ts from memories where owner_id = $1 and id = $2', [
    ownerId,
    id,
  ]);
  return row?.ts ?? 0;
}

/** The memory of a project with the same text. */
async function findIdentical(
  sql: Sql,
  { project: { ownerId }, content: { content } }: IngestChange,
  projectId: ProjectId,
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
  { project: { ownerId }, content }: IngestChange,
  projectId: ProjectId,
  ruling: Ruling,
): Promise<IngestOutcome> {
  const place = { id: ruling.candidate.id, ownerId, projectId };
  const revision = await replaceMemory(sql, place, content);
  await logArbitration(sql, place, ruling, content, revision);
  return { status: 'updated', id: place.id, ts: content.ts };
}

/** A text that is stored already stays as it is, but for its type and its end. */
async function keepIdentical(
  sql: Sql,
  change: IngestChange,
  projectId: ProjectId,
  candidate: Candidate,
): Promise<IngestOutcome> {
  const { project, newId, content } = change;
  // This change itself, whose answer was lost with the process that held the database.
  if (candidate.id === newId) return { status: 'created', id: newId, ts: content.ts, candidates: [] };
  if (candidate.contentType === content.contentType) {
    const place = { id: candidate.id, ownerId: project.ownerId, projectId };
    await putEnd(sql, place, content.endsAt);
    return { status: 'skipped', id: candidate.id, ts: await readTime(sql, place) };
  }
  return replaceBy(sql, change, projectId, { candidate, verdict: { action: 'REPLACE' } });
}

/** The memory of a project that the caller says a text replaces. */
async function findNamed(
  sql: Sql,
  { project: { ownerId }, content, replaces }: IngestChange,
  projectId: ProjectId,
): Promise<Candidate> {
  const { dialect } = sql;
  const [found] = await sql.query<Omit<Candidate, 'similarity'> & { embedding: StoredVector | null }>(
    `select id, revision, content_type as "contentType", summary, ${dialect.vector('avg_embedding')} as embedding
     from memories where owner_id = $1 and project_id = $2 and id = $3`,
    [ownerId, projectId, replaces],
  );
  if (found !== undefined) {
    const { embedding, ...candidate } = found;
    const isKnown = embedding !== null && content.embedding !== undefined;
    return {
      ...candidate,
      similarity: isKnown ? toCosine(dialect.toVector(embedding), content.embedding) : 0,
    };
  }
  throw new ContextloomError('not_found', `there is no memory ${replaces} in this project`, { field: 'replaces' });
}

/**
 * Puts a text in the place of the memory that the caller names. Where the text was stored as a memory of its own before, such as
 * when the other was offered as a candidate, that one is taken back: one subject, one memory.
 */
async function replaceNamed(sql: Sql, change: IngestChange, projectId: ProjectId): Promise<IngestOutcome> {
  const { ownerId } = change.project;
  const candidate = await findNamed(sql, change, projectId);
  const twin = await findIdentical(sql, change, projectId);
  if (twin?.id === candidate.id) return keepIdentical(sql, change, projectId, twin);
  if (twin !== undefined && twin.revision > 1) {
    const message = `the text is that of ${twin.id}, which has earlier states of its own`;
    throw new ContextloomError('conflict', message, { field: 'replaces' });
  }
  if (twin !== undefined) {
    await sql.query('delete from memories where owner_id = $1 and id = $2', [ownerId, twin.id]);
  }
  return replaceBy(sql, change, projectId, { candidate, verdict: { action: 'REPLACE' } });
}

/** Carries out one ingest inside a transaction. */
export async function commitIngest(
  sql: Sql,
  findNearest: Finders['findNearest'],
  change: IngestChange,
): Promise<IngestOutcome> {
  const { project, newId, content, otherwise } = change;
  const { ownerId } = project;
  const projectId = await lockProject(sql, project);
  if (change.replaces !== undefined) return replaceNamed(sql, change, projectId);
  const identical = await findIdentical(sql, change, projectId);
  if (identical !== undefined) return keepIdentical(sql, change, projectId, identical);
  const near = await findNearest(sql, change, projectId);
  const [nearest] = near;
  const ruling = change.ruling ?? (nearest && otherwise && { candidate: nearest, verdict: otherwise });
  if (!stands(ruling?.candidate, nearest)) return { status: 'stale', nearest };
  const action = ruling?.verdict.action;
  if (ruling !== undefined && action === 'REPLACE') return replaceBy(sql, change, projectId, ruling);
  const place = { id: ruling !== undefined && action === 'SKIP' ? ruling.candidate.id : newId, ownerId, projectId };
  if (action !== 'SKIP') await insertMemory(sql, place, content);
  if (ruling !== undefined) await logArbitration(sql, place, ruling, content, null);
  if (action === 'SKIP') return { status: 'skipped', id: place.id, ts: await readTime(sql, place) };
  const candidates = ruling?.verdict.model === undefined ? near : [];
  return { status: 'created', id: newId, ts: content.ts, candidates };
}
