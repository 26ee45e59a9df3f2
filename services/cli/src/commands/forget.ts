import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FORGET_USER, type ForgetEverywhereAnswer } from '@contextloom/contracts';
import { readSettings } from '@contextloom/runtime';
import type { Command } from 'commander';
import { withAggregator } from '../aggregator.ts';
import { loadComposition } from '../composition/composition.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { endAsFailed } from '../exit-codes.ts';
import { forgetHooks } from '../hooks/forget-hooks.ts';
import { openHookFolder } from '../hooks/hook-folder.ts';
import { hookSettings } from '../hooks/settings.ts';
import { readGlobals, toUserId } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { type Column, renderTable } from '../output/tables/table.ts';
import { toPlainLine } from '../output/text/plain.ts';
import { withMemories } from '../whose.ts';
import { printChange, toMemoryId } from './one-memory.ts';

interface ForgetOptions {
  readonly user?: string | undefined;
  readonly yes: boolean;
}

/** The owner of project memory where OWNER_ID is not set. */
const DEFAULT_OWNER = 'personal';

const NOT_ERASED = 'Nothing was erased: --yes erases this, for good.';
/** Large files are rewritten. */
const TIMEOUT_MS = 600_000;

const EXAMPLES = `
Examples:
  $ contextloom forget --user ann          count what there is
  $ contextloom forget --user ann --yes    erase it, for good
  $ contextloom forget fact:city --yes     erase one memory, with what was drawn from it alone

The rules (backups, exports, logs) stand in docs/forgetting.md.`;

/** Adds `forget`: erases a user from all servers of the composition. */
export function registerForget(program: Command, context: CliContext): void {
  program
    .command('forget')
    .description('count everything that is stored about a user, or name one memory, and with --yes erase it, for good')
    .argument('[id]', 'one memory, as recall and memories show it; without it all of the user')
    .option('--user <id>', 'whom to forget, or whose memory', toUserId)
    .option('--yes', 'erase it; without it nothing is erased', false)
    .addHelpText('after', EXAMPLES)
    .action(async (id: string | undefined, { user, yes }: ForgetOptions, command: Command) => {
      if (id !== undefined) return forgetOne(id, { user, yes }, context, readGlobals(command));
      if (user === undefined) return command.error("error: required option '--user <id>' not specified");
      return forgetAll({ user, isDryRun: !yes }, context, readGlobals(command));
    });
}

/** Forgets one memory, with what was drawn from it alone. */
async function forgetOne(id: string, { user, yes }: ForgetOptions, context: CliContext, globals: GlobalOptions) {
  const answer = await withMemories({ user }, { context, globals }, (aggregator, user_id) =>
    aggregator.call('forget', { id: toMemoryId(id), user_id, ...(!yes && { dry_run: true }) }),
  );
  if (globals.json) return printJson(context, answer);
  printChange(context, answer);
  if (!yes) printLines(context, [NOT_ERASED]);
}

/** Forgets a user in all servers, and in the hooks of this machine. */
async function forgetAll(whom: Forgetting, context: CliContext, globals: GlobalOptions): Promise<void> {
  const { user, isDryRun } = whom;
  const args = { user_id: user, dry_run: isDryRun };
  const askServers = () =>
    withAggregator(context, globals, (aggregator) => aggregator.call(FORGET_USER, args, { timeoutMs: TIMEOUT_MS }));
  const receipt = await forgetWithHooks(whom, askServers, { context, globals });
  if (globals.json) printJson(context, receipt);
  else printReceipt(context, user, receipt);
  if (!isDryRun && receipt.unreached.length > 0) endAsFailed();
}

interface Forgetting {
  readonly user: string;
  readonly isDryRun: boolean;
}

/** The hooks of this machine as they stand in a receipt. */
const HOOKS = 'hooks';

/** What hooks of this machine keep where another machine's servers forget: whose it is only that machine's composition says. */
const LEFT_HERE = {
  server: HOOKS,
  what: 'what hooks keep on this machine',
  why: 'it stays where it is: run the command without --url here to erase it too',
} as const;

/** Whether hooks keep anything in their folder. */
async function hasKept(hooksDir: string): Promise<boolean> {
  const lists = await Promise.all(KEPT.map((name) => readdir(join(hooksDir, name)).catch(() => [])));
  return lists.some(({ length }) => length > 0);
}

/** Folders of the hooks in which words of a user may stand. */
const KEPT = ['contexts', 'jobs', 'begun'] as const;

/** Asks the servers, and has the hooks of this machine forget too; with a running aggregator what they keep is named. */
async function forgetWithHooks(
  { user, isDryRun }: Forgetting,
  askServers: () => Promise<ForgetEverywhereAnswer>,
  { context, globals }: { readonly context: CliContext; readonly globals: GlobalOptions },
): Promise<ForgetEverywhereAnswer> {
  const { hooksDir } = readSettings(hookSettings, context.env).values;
  if (globals.url !== undefined) {
    const receipt = await askServers();
    return (await hasKept(hooksDir)) ? { ...receipt, unreached: [...receipt.unreached, LEFT_HERE] } : receipt;
  }
  if (!existsSync(hooksDir)) return askServers();
  const entry = (await loadComposition(context, globals)).servers['agent-mem'];
  const owner = (entry !== undefined && 'env' in entry && entry.env['OWNER_ID']) || DEFAULT_OWNER;
  const folder = await openHookFolder(hooksDir, context.clock);
  const options = { isDryRun, isOwner: user === owner, signal: context.signal };
  const { elsewhere, hooks } = await forgetHooks(folder, options, askServers);
  const total = hooks.erased.reduce((sum, { count }) => sum + count, 0);
  const server = { server: HOOKS, erased: hooks.erased, total };
  return {
    ...elsewhere,
    total: elsewhere.total + total,
    servers: [...elsewhere.servers, ...(total === 0 ? [] : [server])],
    unreached: [...elsewhere.unreached, ...hooks.unreached.map((one) => ({ server: HOOKS, ...one }))],
  };
}

const columns: readonly Column[] = [
  { title: 'server', flexible: true },
  { title: 'what', flexible: true },
  { title: 'count', minWidth: 5 },
];

function toOutcome(user: string, { dry_run, total, unreached }: ForgetEverywhereAnswer): string {
  // What was not queried may have something: only a whole answer says that there is nothing.
  if (total === 0 && unreached.length > 0) return `Nothing of ${user} was found where it could be asked.`;
  if (total === 0) return `Nothing of ${user} is ${dry_run ? 'stored' : 'left'}.`;
  return dry_run ? NOT_ERASED : `Erased ${total} of ${user}.`;
}

function printReceipt(context: CliContext, user: string, receipt: ForgetEverywhereAnswer): void {
  const { servers, unreached, user_sha256: hash, at, dry_run: isDryRun } = receipt;
  const rows = servers.flatMap(({ server, erased }) =>
    erased.filter(({ count }) => count > 0).map(({ what, count }) => [server, toPlainLine(what), String(count)]),
  );
  printLines(context, [
    ...(rows.length === 0 ? [] : [renderTable(columns, rows, outputLook(context))]),
    ...unreached.map(({ server, what, why }) => toPlainLine(`out of reach at ${server}: ${what} (${why})`)),
    toOutcome(user, receipt),
    ...(isDryRun ? [] : [`receipt: user ${hash}, ${at}`]),
  ]);
}
