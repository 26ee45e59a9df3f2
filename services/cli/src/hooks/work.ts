import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import {
  extractProjectNotesResponseSchema,
  type InputOf,
  isContextloomError,
  type ProjectNote,
  readOnly,
} from '@contextloom/contracts';
import { type ProjectMemoryContract, projectMemory } from '@contextloom/contracts/project-memory';
import type { z } from 'zod';
import { specOf } from './clients.ts';
import type { HookBrief, HookFolder, HookJob } from './hook-folder.ts';
import type { Project } from './project.ts';
import { readParts } from './read-transcript.ts';
import { ID_LENGTH, toBranchMark } from './render-context.ts';
import type { HookServers } from './servers.ts';
import { lockWorkers } from './worker-lock.ts';

const ingestSchema = readOnly(projectMemory['mem.ingest_memory'].output, { id: true, status: true });
const briefSchema = projectMemory['mem.brief'].output;
/** Most memories whose branches are known, the latest ones. */
const MOST_BRANCHES = 5_000;

/** What a worker works with. */
export interface WorkOptions {
  readonly folder: HookFolder;
  readonly servers: HookServers;
  readonly signal: AbortSignal;
}

const isRefused = (error: unknown): boolean =>
  isContextloomError(error) && (error.code === 'invalid' || error.code === 'too_large');

/** The notes of what was said since the session was last learnt from. */
async function readNotes(job: HookJob, { folder, servers }: WorkOptions): Promise<readonly ProjectNote[]> {
  const known = await folder.progressOf(job);
  // A file that has become shorter is another one.
  const from = known > job.size ? 0 : known;
  const notes: ProjectNote[] = [];
  for await (const part of readParts(job, from)) {
    try {
      const args = { conversation_history: part };
      const answer = await servers.call(
        'memory-processor',
        'extract_project_notes',
        args,
        extractProjectNotesResponseSchema,
      );
      notes.push(...answer.notes);
    } catch (error) {
      if (!isRefused(error)) throw error; // Nothing is said in a part of tool calls alone.
    }
  }
  return notes;
}

/** Stores a note, and answers its memory; undefined where it was refused. */
async function storeNote(
  note: ProjectNote,
  { project }: HookJob,
  { folder, servers }: WorkOptions,
): Promise<z.output<typeof ingestSchema> | undefined> {
  const { content, content_type, occurred_at: at } = note;
  const args: InputOf<ProjectMemoryContract, 'mem.ingest_memory'> = {
    project_name: project.name,
    project_path: project.path,
    machine_name: hostname(),
    content_type,
    content,
    ...(at !== undefined && { ts: Math.floor(Date.parse(at) / 1_000) }),
  };
  try {
    // A text that is stored already is not stored again: a job that was cut off is simply done again.
    return await servers.call('agent-mem', 'mem.ingest_memory', args, ingestSchema);
  } catch (error) {
    if (!isRefused(error)) throw error;
    await folder.log(`a note was refused: ${String(Object(error).message)}`);
    return undefined;
  }
}

/** The same; undefined where the client's own program cannot read the session now: the job waits for the next worker. */
async function readNotesIfThere(job: HookJob, options: WorkOptions): Promise<readonly ProjectNote[] | undefined> {
  try {
    return await readNotes(job, options);
  } catch (error) {
    if (!isContextloomError(error) || specOf(job.client).keptIn === undefined) throw error;
    await options.folder.log(`${error.code === 'not_found' ? 'gone' : 'waits'}: ${error.message}`);
    return error.code === 'not_found' ? [] : undefined;
  }
}

async function learn(file: string, job: HookJob, options: WorkOptions): Promise<void> {
  const { folder } = options;
  const isThere = await stat(job.transcript).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isThere && job.notes === undefined) await folder.log(`${job.transcript} is gone: nothing was learnt from it`);
  else if ((await folder.progressOf(job)) !== job.size) {
    const notes = job.notes ?? (await readNotesIfThere(job, options));
    if (notes === undefined) return;
    if (job.notes === undefined) await folder.saveJob(file, { ...job, notes: [...notes] });
    const stored = [];
    for (const note of notes) stored.push(await storeNote(note, job, options));
    await keepBranches(job, stored, folder);
    await folder.setProgress(job, job.size);
    await folder.log(`${notes.length} notes stored of ${job.transcript} in ${job.project.name}`);
  }
  await folder.removeJob(file);
}

/** Keeps on which branch each memory was learnt first: a job that was cut off finds its memories stored. */
async function keepBranches(
  { project, branch }: HookJob,
  stored: readonly ({ readonly id: string; readonly status: string } | undefined)[],
  folder: HookFolder,
): Promise<void> {
  if (branch === undefined) return;
  const known = await folder.contextOf(project.name);
  const learnt = stored.flatMap((one) => (one === undefined ? [] : [[one.id.slice(0, ID_LENGTH), branch] as const]));
  const branches = { ...Object.fromEntries(learnt), ...known?.branches };
  for (const one of stored) if (one?.status === 'created') branches[one.id.slice(0, ID_LENGTH)] = branch;
  const latest = Object.fromEntries(Object.entries(branches).slice(-MOST_BRANCHES));
  await folder.setContext(project.name, { brief: known?.brief ?? EMPTY, branches: latest });
}

const EMPTY: HookBrief = { lines: [], counts: { rule: 0, decision: 0, open: 0, state: 0 } };

/** Writes down what the next session of a project begins with. */
async function refresh({ name }: Project, { folder, servers }: WorkOptions): Promise<void> {
  const { countTokens } = await import('@contextloom/llm');
  const args: InputOf<ProjectMemoryContract, 'mem.brief'> = { project_name: name, include_items: true };
  const { items = [], counts } = await servers.call('agent-mem', 'mem.brief', args, briefSchema);
  const { branches = {} } = (await folder.contextOf(name)) ?? {};
  const lines = items.map(({ kind, id, ts, text, tokens, expires_at: ends }) => {
    const branch = branches[id];
    const source = `${new Date(ts * 1_000).toISOString().slice(0, 10)} ${id}`;
    const learnt = branch === undefined ? undefined : { name: branch, tokens: countTokens(toBranchMark(branch)) };
    return {
      kind,
      text,
      source,
      tokens,
      ...(learnt !== undefined && { branch: learnt }),
      ...(ends !== undefined && { ends }),
    };
  });
  await folder.setContext(name, { brief: { lines, counts }, branches });
}

/**
 * Learns from all sessions that ended, then writes down what the next session of a project begins with. One worker works at a
 * time; another one waits for it, since it may have been started for a session that the first did not see.
 */
export async function work(project: Project | undefined, options: WorkOptions): Promise<void> {
  const { folder, signal } = options;
  const unlock = await lockWorkers(folder.path, signal);
  try {
    const projects = new Map<string, Project>(project === undefined ? [] : [[project.name, project]]);
    for (const [file, job] of await folder.jobs()) {
      await learn(file, job, options);
      projects.set(job.project.name, job.project);
    }
    for (const one of projects.values()) await refresh(one, options);
  } finally {
    unlock();
  }
}
