import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSettings } from '@contextloom/runtime';
import { type Command, Option } from 'commander';
import type { CliContext, GlobalOptions } from '../context.ts';
import { type HookFolder, openHookFolder } from '../hooks/hook-folder.ts';
import { type HookClient, hookClients, parseHookInput, toStartAnswer } from '../hooks/hook-input.ts';
import { handInMissed } from '../hooks/missed-sessions.ts';
import { findProject, type Project } from '../hooks/project.ts';
import { hookSettings } from '../hooks/settings.ts';
import { readGlobals, refuseUrl } from '../options.ts';
import { printJson } from '../output/print.ts';
import { toPlainLine } from '../output/text/plain.ts';

/** How long the start of a session waits for what the session before left, in milliseconds, and how often it looks. */
const WAIT_MS = 5_000;
const LOOK_MS = 100;
/** How long what a session begins with counts as fresh, in milliseconds: other machines and agents may have stored since. */
const FRESH_MS = 600_000;

interface HookOptions {
  readonly client: HookClient;
}

/** What a hook is run with. */
interface Hook {
  readonly context: CliContext;
  readonly globals: GlobalOptions;
  readonly folder: HookFolder;
}

/**
 * Runs a hook. Whatever happens in it, the client goes on: the fault goes to standard error and to the log, and the exit code stays 0.
 */
async function runHook(
  context: CliContext,
  globals: GlobalOptions,
  work: (hook: Hook) => Promise<void>,
): Promise<void> {
  try {
    const { hooksDir } = readSettings(hookSettings, context.env).values;
    const folder = await openHookFolder(hooksDir, context.clock);
    await work({ context, globals, folder }).catch(async (error: unknown) => {
      await folder.log(`failed: ${describe(error)}`);
      throw error;
    });
  } catch (error) {
    context.stderr.write(`contextloom hook: ${describe(error)}\n`);
  }
}

const describe = (error: unknown): string => toPlainLine(error instanceof Error ? error.message : String(error));

/** Starts a worker that outlives this command. */
function startWorker({ context, globals }: Hook, project: Project | undefined): void {
  const config = globals.config === undefined ? [] : ['--config', resolve(context.cwd, globals.config)];
  context.startDetached?.(['hook', 'work', ...config, ...(project === undefined ? [] : ['--project', project.path])]);
}

async function startSession(hook: Hook, client: HookClient): Promise<void> {
  const { context, folder } = hook;
  const input = parseHookInput((await context.readInput?.()) ?? '');
  const { session_id: session, transcript_path: transcript, cwd, source } = input;
  const project = await findProject(cwd);
  if (project === undefined) return;
  if (transcript != null) {
    const begun = { client, session, transcript, project };
    await folder.addBegun(begun);
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
  // The session before may have ended a moment ago. After /clear it always has, with somebody at the keyboard who goes on.
  const waitMs = source === 'clear' ? 0 : WAIT_MS;
  for (const until = context.now() + waitMs; context.now() < until && (await isPending()); ) await sleep(LOOK_MS);
  const text = (await folder.contextOf(project.name))?.text ?? '';
  if (text !== '') printJson(context, toStartAnswer(text));
}

async function endSession(hook: Hook, client: HookClient): Promise<void> {
  const { context, folder } = hook;
  const { session_id: session, transcript_path: transcript, cwd } = parseHookInput((await context.readInput?.()) ?? '');
  const project = await findProject(cwd);
  if (project === undefined || transcript == null) return;
  const { size } = await stat(transcript);
  await folder.addJob({ client, session, transcript, size, project });
  await folder.removeBegun({ client, session, transcript, project });
  startWorker(hook, project);
}

async function workOnJobs({ context, globals, folder }: Hook, path: string | undefined): Promise<void> {
  const [{ work }, { openHookServers }] = await Promise.all([
    import('../hooks/work.ts'),
    import('../hooks/servers.ts'),
  ]);
  const servers = await openHookServers(context, globals);
  try {
    await work(path === undefined ? undefined : await findProject(path), { folder, servers, signal: context.signal });
  } finally {
    await servers.close();
  }
}

const HELP = `
A client runs these by itself once "contextloom init --hooks" has written them into its configuration. They never hold it up: faults
go to standard error and into hooks.log in the folder that CONTEXTLOOM_HOOKS_DIR names, and the exit code is 0.`;

/** Adds `hook`: what clients run when a session starts and ends. */
export function registerHook(program: Command, context: CliContext): void {
  const hook = program
    .command('hook')
    .description('what Claude Code and Codex run when a session starts and ends; see init --hooks')
    .addHelpText('after', HELP);
  const add = (name: string, description: string, run: (hook: Hook, client: HookClient) => Promise<void>): void => {
    hook
      .command(name)
      .description(description)
      .addOption(new Option('--client <client>', 'the client').choices(hookClients).default('claude-code'))
      .action(async ({ client }: HookOptions, command: Command) => {
        await runHook(context, readGlobals(command), (one) => run(one, client));
      });
  };
  add('session-start', 'print what earlier sessions left about the project, for the client to add', startSession);
  add('session-end', 'hand in a session to be learnt from, and return at once', endSession);
  hook
    .command('work')
    .description('learn from the sessions that ended, and wait until that is done')
    .option('--project <folder>', 'prepare the start of the next session in this folder, too')
    .action(async ({ project }: { readonly project?: string }, command: Command) => {
      refuseUrl(command);
      await runHook(context, readGlobals(command), (one) => workOnJobs(one, project));
    });
}
