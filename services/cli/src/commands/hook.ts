import { type Command, Option } from 'commander';
import type { CliContext } from '../context.ts';
import { type HookClient, type HookEvent, hookClientIds } from '../hooks/clients.ts';
import { findProject } from '../hooks/project.ts';
import { type Hook, runHookEvent, withHook } from '../hooks/run-hook.ts';
import { readGlobals, refuseUrl } from '../options.ts';

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

const descriptions: Readonly<Record<HookEvent, string>> = {
  'session-start': 'print what earlier sessions left about the project, for the client to add',
  'session-end': 'hand in a session to be learnt from, and return at once',
  'pre-compact': 'hand in what a session said before its client shortens it, and return at once',
  'subagent-start': 'print the same for a helper that a session starts',
  'user-prompt':
    'print what answers a question, within a second, for the client to add; see init --hooks --each-question',
};

/** Adds `hook`: what clients run at the events of a session. */
export function registerHook(program: Command, context: CliContext): void {
  const hook = program
    .command('hook')
    .description('what coding agents run at the events of a session; see init --hooks')
    .addHelpText('after', HELP);
  for (const [event, description] of Object.entries(descriptions) as [HookEvent, string][]) {
    hook
      .command(event)
      .description(description)
      .addOption(new Option('--client <client>', 'the client').choices(hookClientIds).default('claude-code'))
      .action(async ({ client }: { readonly client: HookClient }, command: Command) => {
        await runHookEvent(context, event, { client, config: readGlobals(command).config });
      });
  }
  hook
    .command('work')
    .description('learn from the sessions that ended, and wait until that is done')
    .option('--project <folder>', 'prepare the start of the next session in this folder, too')
    .action(async ({ project }: { readonly project?: string }, command: Command) => {
      refuseUrl(command);
      await withHook(context, readGlobals(command), (one) => workOnJobs(one, project));
    });
}
