import type { z } from 'zod';
import type { ProjectMemory } from './domain/project-memory.ts';
import { requireOwner } from './owner.ts';
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

/** What tools and routes answer from. */
export interface MemoryDeps {
  readonly ownerId: string;
  /** Opens the memory at the first call; rejects while it cannot be opened. */
  readonly open: () => Promise<ProjectMemory>;
}

interface Owned {
  readonly owner_id?: string | undefined;
}

/** The memory, if the caller may see it. */
function openFor({ owner_id }: Owned, { ownerId, open }: MemoryDeps): Promise<ProjectMemory> {
  requireOwner(owner_id, ownerId);
  return open();
}

/** Takes a memory in. */
export async function answerIngest(
  request: Owned & Parameters<ProjectMemory['ingest']>[0],
  deps: MemoryDeps,
): Promise<z.input<typeof ingestAnswerSchema>> {
  const { id, status, ts } = await (await openFor(request, deps)).ingest(request);
  return { id, status, ts };
}

/** Finds memories, and shows a passage of each. */
export async function answerSearch(
  { owner_id, ...request }: Owned & Parameters<ProjectMemory['search']>[0],
  deps: MemoryDeps,
): Promise<z.input<typeof searchAnswerSchema>> {
  const { results, total } = await (await openFor({ owner_id }, deps)).search(request);
  const metadata = { total, returned: results.length, next_action: 'use_ids_to_call_mem_get' as const };
  return { results: [...results], metadata };
}

/** Reads whole memories. */
export async function answerGet(
  { ids, as_of, ...owned }: Owned & { readonly ids: readonly string[]; readonly as_of?: number | undefined },
  deps: MemoryDeps,
): Promise<z.input<typeof getAnswerSchema>> {
  const memories = await (await openFor(owned, deps)).get(ids, as_of);
  return {
    results: memories.map(({ id, content, contentType, summary, tags, ts }) => ({
      ...{ id, content, content_type: contentType, summary, tags: [...tags], ts },
    })),
  };
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
