import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectNoteSchema } from '@contextloom/contracts';
import { briefKinds } from '@contextloom/retrieval/statements';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { hookClientIds } from './clients.ts';

const jobSchema = z.object({
  client: z.enum(hookClientIds),
  session: z.string(),
  transcript: z.string(),
  /** The client's own program, where that alone reads the transcript. */
  program: z.string().optional(),
  /** How far the transcript was when the session ended; see `measure`. */
  size: z.number().int(),
  project: z.object({ name: z.string(), path: z.string() }),
  /** The branch that the session ended on. */
  branch: z.string().optional(),
  /** What was found in it, once it is read: what a model was paid for is not requested again. */
  notes: z.array(projectNoteSchema).optional(),
});
/** A session that ended, and is still to be learnt from. */
export type HookJob = z.output<typeof jobSchema>;

const begunSchema = jobSchema.omit({ size: true, notes: true, branch: true }).extend({
  /** The ids, as far as they are shown, of the memories that it was told. */
  told: z.array(z.string()).optional(),
});
/** A session that began: what says that it ended may be killed before it has written anything down. */
export type BegunSession = z.output<typeof begunSchema>;

const progressSchema = z.object({ read: z.number().int() });
const countSchema = z.number().int();
const briefSchema = z.object({
  lines: z.array(
    z.object({
      kind: z.enum(briefKinds),
      text: z.string(),
      source: z.string(),
      tokens: countSchema,
      /** Where it was learnt, and what telling so takes. */
      branch: z.object({ name: z.string(), tokens: countSchema }).optional(),
      /** When its memory is forgotten. */
      ends: z.iso.datetime().optional(),
    }),
  ),
  counts: z.object({ rule: countSchema, decision: countSchema, open: countSchema, state: countSchema }),
});
/** What is known of a project, measured, so that a session gets it at once. */
export type HookBrief = z.output<typeof briefSchema>;

const contextSchema = z.object({
  brief: briefSchema,
  /** The branch that each memory was learnt on, by its id. */
  branches: z.record(z.string(), z.string()),
  at: z.iso.datetime(),
});
/** What a session begins with, and when that was written down. */
export type HookContext = z.output<typeof contextSchema>;

/** What a session begins with, without what has ended by now. Then it is as old as can be, so that it is written down again. */
function withoutEnded(context: HookContext, now: Date): HookContext {
  const { lines, counts } = context.brief;
  const alive = lines.filter(({ ends }) => ends === undefined || Date.parse(ends) > now.getTime());
  if (alive.length === lines.length) return context;
  const left = { ...counts };
  for (const { kind } of lines) left[kind] -= 1;
  for (const { kind } of alive) left[kind] += 1;
  return { ...context, brief: { lines: alive, counts: left }, at: new Date(0).toISOString() };
}

/** What hooks hand to each other, in files: each one is whole or not there. */
export interface HookFolder {
  readonly path: string;
  /** Jobs by their files, the oldest first. */
  readonly jobs: () => Promise<readonly (readonly [file: string, job: HookJob])[]>;
  readonly addJob: (job: HookJob) => Promise<void>;
  readonly saveJob: (file: string, job: HookJob) => Promise<void>;
  readonly removeJob: (file: string) => Promise<void>;
  /** Sessions that began, and whose end nobody reported. */
  readonly begun: () => Promise<readonly BegunSession[]>;
  /** The session as it was noted down; undefined where it was not, or has ended. */
  readonly begunOf: (session: BegunSession) => Promise<BegunSession | undefined>;
  readonly addBegun: (session: BegunSession) => Promise<void>;
  readonly removeBegun: (session: BegunSession) => Promise<void>;
  /** How far a session's transcript is learnt; see `measure`. */
  readonly progressOf: (session: BegunSession) => Promise<number>;
  readonly setProgress: (session: BegunSession, read: number) => Promise<void>;
  /** What the next session of a project begins with; undefined before the first. */
  readonly contextOf: (project: string) => Promise<HookContext | undefined>;
  readonly setContext: (project: string, context: Omit<HookContext, 'at'>) => Promise<void>;
  readonly log: (line: string) => Promise<void>;
}

const MAX_LOG_BYTES = 1_000_000;

/** The folders in it. */
const hookFolders = ['jobs', 'begun', 'sessions', 'contexts'] as const;
/** Its log; a longer one is kept once more under a name of its own. */
export const LOG = 'hooks.log';

const toName = (...words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 32);
const toSession = ({ client, session, transcript }: BegunSession): string => toName(client, session, transcript);

/** Reads a file of JSON; undefined where there is none, or what stands in it is of another version. */
async function readJson<S extends z.ZodType>(file: string, schema: S): Promise<z.output<S> | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch (error) {
    if (Object(error).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function appendLog(file: string, line: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(file, `${file}.1`);
  await appendFile(file, line, { mode: 0o600 });
}

/** Reads all files of a folder that are what they should be, the oldest name first. */
async function readAll<S extends z.ZodType>(
  folder: string,
  schema: S,
): Promise<readonly (readonly [file: string, value: z.output<S>])[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const found = await Promise.all(
    names.map(async (name) => [join(folder, name), await readJson(join(folder, name), schema)] as const),
  );
  return found.flatMap(([file, value]) => (value === undefined ? [] : [[file, value] as const]));
}

/** Opens the folder of hooks, and makes it where it is missing; only its owner can read it. */
export async function openHookFolder(path: string, clock: () => Date): Promise<HookFolder> {
  const toFolder = (name: (typeof hookFolders)[number]): string => join(path, name);
  for (const name of hookFolders) await mkdir(toFolder(name), { recursive: true, mode: 0o700 });
  const write = (file: string, value: unknown): Promise<void> =>
    writeFileAtomic(file, JSON.stringify(value), { mode: 0o600 });
  const progressFile = (session: BegunSession): string => join(toFolder('sessions'), `${toSession(session)}.json`);
  const begunFile = (session: BegunSession): string => join(toFolder('begun'), `${toSession(session)}.json`);
  const contextFile = (project: string): string => join(toFolder('contexts'), `${toName(project)}.json`);
  return {
    path,
    jobs: () => readAll(toFolder('jobs'), jobSchema),
    // The same session at the same length is the same job, however often its end is reported; a shorter one comes before a longer.
    addJob: (job) => write(join(toFolder('jobs'), `${toSession(job)}-${String(job.size).padStart(15, '0')}.json`), job),
    saveJob: write,
    removeJob: (file) => rm(file, { force: true }),
    begun: async () => (await readAll(toFolder('begun'), begunSchema)).map(([, session]) => session),
    begunOf: (session) => readJson(begunFile(session), begunSchema),
    addBegun: (session) => write(begunFile(session), session),
    removeBegun: (session) => rm(begunFile(session), { force: true }),
    progressOf: async (session) => (await readJson(progressFile(session), progressSchema))?.read ?? 0,
    setProgress: (session, read) => write(progressFile(session), { read }),
    contextOf: async (project) => {
      const known = await readJson(contextFile(project), contextSchema);
      return known && withoutEnded(known, clock());
    },
    setContext: (project, context) => write(contextFile(project), { ...context, at: clock().toISOString() }),
    log: (line) => appendLog(join(path, LOG), `${clock().toISOString()} ${line}\n`),
  };
}
