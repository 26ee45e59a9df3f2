import { resolve } from 'node:path';
import { readSettings } from '@contextloom/runtime';
import type { CliContext } from '../context.ts';
import { printJson } from '../output/print.ts';
import { toPlainLine } from '../output/text/plain.ts';
import { findBranch } from './branches.ts';
import { type HookClient, type HookEvent, specOf } from './clients.ts';
import { type BegunSession, type HookFolder, openHookFolder } from './hook-folder.ts';
import { type HookInput, parseHookInput } from './hook-input.ts';
import { measure, measureIfThere } from './measure.ts';
import { findProject, type Project } from './project.ts';
import { type RenderOptions, renderContext, toToldIds } from './render-context.ts';
import { type HookGlobals, hookSettings } from './settings.ts';

const isSame = (one: BegunSession, other: BegunSession): boolean =>
  one.client === other.client && one.session === other.session && one.transcript === other.transcript;

/**
 * Hands in sessions that began and whose end nobody reported, since the hook that tells it was killed, or the machine was. One that still
 * runs may be among them: what it says from now on is learnt when it ends.
 * @param starting the session that begins now
 */
export async function handInMissed(folder: HookFolder, starting: BegunSession): Promise<void> {
  const jobs = await folder.jobs();
  for (const { told: _told, ...session } of await folder.begun()) {
    if (isSame(session, starting)) continue;
    const size = await measureIfThere(session);
    if (size === undefined) await folder.removeBegun(session);
    // A job that is there may hold what a model was paid for.
    else if (jobs.some(([, job]) => isSame(job, session) && job.size === size)) continue;
    else if (size !== (await folder.progressOf(session))) await folder.addJob({ ...session, size });
  }
}

/** How long what a session begins with counts as fresh, in milliseconds: other machines and agents may have stored since. */
const FRESH_MS = 600_000;

/** What a hook is run with. */
export interface Hook {
  readonly context: CliContext;
  readonly globals: HookGlobals;
  readonly folder: HookFolder;
  /** Whether it starts a worker that learns at once. */
  readonly startsWorker: boolean;
  /** Whether the session is remembered. */
  readonly stores: boolean;
}

/**
 * Does the work of a hook. Whatever happens in it, the client goes on: the fault goes to standard error and to the log, and the exit code stays 0.
 */
export async function withHook(
  context: CliContext,
  globals: HookGlobals,
  work: (hook: Hook) => Promise<void>,
): Promise<void> {
  try {
    const { hooksDir, hooksWorker: startsWorker, stores } = readSettings(hookSettings, context.env).values;
    const folder = await openHookFolder(hooksDir, context.clock);
    await work({ context, globals, folder, startsWorker, stores }).catch(async (error: unknown) => {
      await folder.log(`failed: ${describe(error)}`);
      throw error;
    });
  } catch (error) {
    context.stderr.write(`contextloom hook: ${describe(error)}\n`);
  }
}

const describe = (error: unknown): string => toPlainLine(error instanceof Error ? error.message : String(error));

/** Starts a worker that outlives this command. */
function startWorker({ context, globals, startsWorker }: Hook, project: Project | undefined): void {
  if (!startsWorker) return;
  const config = globals.config === undefined ? [] : ['--config', resolve(context.cwd, globals.config)];
  context.startDetached?.(['hook', 'work', ...config, ...(project === undefined ? [] : ['--project', project.path])]);
}

/** What the client tells. */
async function readInput({ context }: Hook, client: HookClient): Promise<HookInput> {
  return parseHookInput((await context.readInput?.()) ?? '', client, context.machine);
}

async function startSession(hook: Hook, client: HookClient): Promise<void> {
  const { context, folder, stores } = hook;
  const { session_id: session, transcript_path: transcript, cwd, program } = await readInput(hook, client);
  const project = await findProject(cwd);
  if (project === undefined) return;
  const brief = await writeBrief(hook, { project, cwd });
  if (transcript != null && stores) {
    const begun = { client, session, transcript, project, program };
    await folder.addBegun({ ...begun, ...(brief !== undefined && { told: [...brief.told] }) });
    await handInMissed(folder, begun);
  }
  const isPending = async (): Promise<boolean> =>
    (await folder.jobs()).some(([, job]) => job.project.name === project.name);
  const isFresh = async (): Promise<boolean> => {
    const known = await folder.contextOf(project.name);
    // What a wrong clock dated ahead would count as fresh until then.
    const age = known === undefined ? FRESH_MS : context.clock().getTime() - Date.parse(known.at);
    return age >= 0 && age < FRESH_MS;
  };
  if ((await isPending()) || !(await isFresh())) startWorker(hook, project);
  // It never waits for a worker: what a session before left is written down when it ends.
  tell(hook, client, { event: 'session-start', text: brief?.text });
}

/** What a session begins with, and the ids of the memories in it; undefined where nothing is known. */
async function writeBrief(
  { folder }: Hook,
  where: RenderOptions,
): Promise<{ readonly text: string; readonly told: readonly string[] } | undefined> {
  const known = await folder.contextOf(where.project.name);
  if (known === undefined) return undefined;
  const text = await renderContext(known.brief, where);
  return { text, told: toToldIds(known.brief, text) };
}

function tell(
  { context }: Hook,
  client: HookClient,
  { event, text = '' }: { readonly event: HookEvent; readonly text?: string | undefined },
): void {
  const { events, toAnswer } = specOf(client);
  if (text !== '') printJson(context, toAnswer(events[event] ?? event, text));
}

/** A helper begins with nothing of what its session got. */
async function startSubagent(hook: Hook, client: HookClient): Promise<void> {
  const { cwd } = await readInput(hook, client);
  const project = await findProject(cwd);
  const brief = project && (await writeBrief(hook, { project, cwd }));
  tell(hook, client, { event: 'subagent-start', text: brief?.text });
}

/** How long a question waits for what answers it, in milliseconds: with the start of this program that is less than a second. */
const PATIENCE_MS = 750;

/** Finds what answers a question, and what its session was told before. */
async function findAnswer(hook: Hook, client: HookClient, signal: AbortSignal) {
  const { folder, context, globals } = hook;
  const input = await readInput(hook, client);
  const { session_id: session, transcript_path: transcript, cwd, program, prompt } = input;
  const project = await findProject(cwd);
  if (project === undefined || prompt === undefined) return undefined;
  const known = await folder.begunOf({ client, session, transcript: transcript ?? '', project, program });
  const told = new Set(known?.told ?? (await writeBrief(hook, { project, cwd }))?.told);
  const { recallFor } = await import('./recall-for.ts');
  const found = await recallFor(prompt, { context: { ...context, signal }, globals, project, told });
  return { ...found, known, told };
}

/** Adds what answers a question, where that is found in time and is not told yet. */
async function answerPrompt(hook: Hook, client: HookClient): Promise<void> {
  const { folder, context } = hook;
  const late = AbortSignal.timeout(PATIENCE_MS);
  const from = context.now();
  const wait = new Promise<'late'>((resolve) => late.addEventListener('abort', () => resolve('late')));
  // What is late goes on until this program ends, and says nothing.
  const finding = findAnswer(hook, client, AbortSignal.any([context.signal, late])).catch((error: unknown) => {
    if (!late.aborted) throw error;
    return 'late' as const;
  });
  const found = await Promise.race([finding, wait]);
  if (found === 'late') return folder.log(`a question: nothing was found within ${PATIENCE_MS} ms`);
  if (found === undefined) return undefined;
  const { text, ids, known, told } = found;
  tell(hook, client, { event: 'user-prompt', text });
  if (known !== undefined && ids.length > 0) await folder.addBegun({ ...known, told: [...told, ...ids] });
  return folder.log(`a question: ${ids.length} memories told after ${Math.round(context.now() - from)} ms`);
}

/** Hands in what was said until now, and answers what session that is of; undefined where there is nothing to learn from. */
async function handIn(hook: Hook, client: HookClient): Promise<BegunSession | undefined> {
  const { folder } = hook;
  const { session_id: session, transcript_path: transcript, cwd, program } = await readInput(hook, client);
  const project = await findProject(cwd);
  if (!hook.stores || project === undefined || transcript == null) return undefined;
  const begun = { client, session, transcript, project, program };
  await folder.addJob({ ...begun, size: await measure(begun), branch: await findBranch(cwd) });
  startWorker(hook, project);
  return begun;
}

async function endSession(hook: Hook, client: HookClient): Promise<void> {
  const ended = await handIn(hook, client);
  if (ended !== undefined) await hook.folder.removeBegun(ended);
}

/** The session goes on: what it says from now on is learnt when it ends. */
async function beforeCompaction(hook: Hook, client: HookClient): Promise<void> {
  await handIn(hook, client);
}

/** What is done at each event of a session. */
const events = {
  'session-start': startSession,
  'session-end': endSession,
  'pre-compact': beforeCompaction,
  'subagent-start': startSubagent,
  'user-prompt': answerPrompt,
} as const satisfies Record<HookEvent, unknown>;

/** Runs the hook of an event. */
export function runHookEvent(
  context: CliContext,
  event: HookEvent,
  { client, ...globals }: HookGlobals & { readonly client: HookClient },
): Promise<void> {
  return withHook(context, globals, (hook) => events[event](hook, client));
}
