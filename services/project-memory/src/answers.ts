import type { z } from 'zod';
import type { ProjectMemory } from './domain/project-memory.ts';
import { toRelated } from './link-answers.ts';
import { type MemoryDeps, type Owned, openFor } from './memory-deps.ts';
import type {
  arbitrationsAnswerSchema,
  getAnswerSchema,
  ingestAnswerSchema,
  projectsAnswerSchema,
  rollbackAnswerSchema,
  searchAnswerSchema,
  timelineAnswerSchema,
  versionsAnswerSchema,
} from './wire-schemas.ts';

/** Takes a memory in. */
export async function answerIngest(
  request: Owned & Parameters<ProjectMemory['ingest']>[0],
  deps: MemoryDeps,
): Promise<z.input<typeof ingestAnswerSchema>> {
  const { candidates, ...answer } = await (await openFor(request, deps)).ingest(request);
  if (candidates.length === 0) return answer;
  return {
    ...answer,
    candidates: candidates.map(({ id, contentType, summary, similarity }) => ({
      ...{ id, content_type: contentType, summary, similarity },
    })),
  };
}

/** Finds memories, and shows a passage of each. */
export async function answerSearch(
  { owner_id, include_related, ...request }: Owned & RelatedWish & Parameters<ProjectMemory['search']>[0],
  deps: MemoryDeps,
): Promise<z.input<typeof searchAnswerSchema>> {
  const memory = await openFor({ owner_id }, deps);
  const { results: found, total, without } = await memory.search(request);
  const results = include_related ? await withRelated(found, memory, 'linked alone') : found;
  const metadata = { total, returned: results.length, next_action: 'use_ids_to_call_mem_get' as const };
  return { results: [...results], metadata: without.length === 0 ? metadata : { ...metadata, without: [...without] } };
}

/** Reads whole memories. */
export async function answerGet(
  { ids, as_of, include_related, ...owned }: GetRequest,
  deps: MemoryDeps,
): Promise<z.input<typeof getAnswerSchema>> {
  const memory = await openFor(owned, deps);
  const memories = await memory.get(ids, as_of);
  const results = memories.map(({ id, content, contentType, summary, tags, ts }) => ({
    ...{ id, content, content_type: contentType, summary, tags: [...tags], ts },
  }));
  return { results: include_related ? await withRelated(results, memory, 'with nearest') : results };
}

interface RelatedWish {
  readonly include_related: boolean;
}

interface GetRequest extends Owned, RelatedWish {
  readonly ids: readonly string[];
  readonly as_of?: number | undefined;
}

/** Puts to each memory what it is related with. */
async function withRelated<T extends { readonly id: string }>(
  results: readonly T[],
  memory: ProjectMemory,
  nearest: Parameters<ProjectMemory['relatedTo']>[1],
) {
  const related = await memory.relatedTo(
    results.map(({ id }) => id),
    nearest,
  );
  return results.map((result) => ({ ...result, related: toRelated(related.filter(({ ofId }) => ofId === result.id)) }));
}

type ProjectNaming = Parameters<ProjectMemory['timeline']>[0];

/** Lists memories, newest first. */
export async function answerTimeline(
  { owner_id, days, limit, ...project }: Owned & ProjectNaming & { readonly days: number; readonly limit: number },
  deps: MemoryDeps,
): Promise<z.input<typeof timelineAnswerSchema>> {
  const entries = await (await openFor({ owner_id }, deps)).timeline(project, days, limit);
  const results = entries.map(({ id, contentType, summary, ts, projectKey }) => ({
    ...{ id, content_type: contentType, summary, ts, project_key: projectKey },
  }));
  return { results, metadata: { returned: results.length } };
}

/** Lists projects. */
export async function answerProjects(
  { limit, ...owned }: Owned & { readonly limit: number },
  deps: MemoryDeps,
): Promise<z.input<typeof projectsAnswerSchema>> {
  const projects = await (await openFor(owned, deps)).projects(limit);
  const results = projects.map(({ ownerId, key, name, machineName, path, memoryCount, latestTs }) => ({
    owner_id: ownerId,
    project_key: key,
    machine_name: machineName ?? null,
    project_path: path ?? null,
    project_name: name,
    memory_count: memoryCount,
    latest_ts: latestTs ?? null,
  }));
  return { results, metadata: { returned: results.length } };
}

/** Lists the states of a memory. */
export async function answerVersions(
  { id, ...owned }: Owned & { readonly id: string },
  deps: MemoryDeps,
): Promise<z.input<typeof versionsAnswerSchema>> {
  const versions = await (await openFor(owned, deps)).versions(id);
  const results = versions.map(({ contentType, tags, replacedAt, ...version }) => ({
    ...version,
    is_current: replacedAt === undefined,
    content_type: contentType,
    tags: [...tags],
    replaced_at: replacedAt ?? null,
  }));
  return { id, results };
}

/** Lists verdicts, newest first. */
export async function answerArbitrations(
  { owner_id, limit, ...query }: Owned & ProjectNaming & { readonly id?: string | undefined; readonly limit: number },
  deps: MemoryDeps,
): Promise<z.input<typeof arbitrationsAnswerSchema>> {
  const arbitrations = await (await openFor({ owner_id }, deps)).arbitrations(query, limit);
  const results = arbitrations.map((arbitration) => ({
    arbitration_id: arbitration.id,
    project_key: arbitration.projectKey,
    action: arbitration.action,
    candidate_memory_id: arbitration.candidateId ?? null,
    new_memory_id: arbitration.newId ?? null,
    similarity: arbitration.similarity,
    old_summary: arbitration.oldSummary,
    new_summary: arbitration.newSummary,
    model: arbitration.model ?? null,
    created_at: arbitration.createdAt,
    rolled_back_at: arbitration.rolledBackAt ?? null,
  }));
  return { results, metadata: { returned: results.length } };
}

/** Undoes a verdict. */
export async function answerRollback(
  { arbitration_id, ...owned }: Owned & { readonly arbitration_id: number },
  deps: MemoryDeps,
): Promise<z.input<typeof rollbackAnswerSchema>> {
  return { arbitration_id, ...(await (await openFor(owned, deps)).rollback(arbitration_id)) };
}
