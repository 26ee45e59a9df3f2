import { FORGET_USER, type ForgetEverywhereAnswer, forgetEverywhereAnswerSchema } from '@contextloom/contracts';
import type { Command } from 'commander';
import { withAggregator } from '../aggregator.ts';
import type { CliContext } from '../context.ts';
import { endAsFailed } from '../exit-codes.ts';
import { readGlobals, toUserId } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { type Column, renderTable } from '../output/tables/table.ts';
import { toPlainLine } from '../output/text/plain.ts';

interface ForgetOptions {
  readonly user: string;
  readonly yes: boolean;
}

/** Large files are rewritten. */
const TIMEOUT_MS = 600_000;

const EXAMPLES = `
Examples:
  $ contextloom forget --user ann          count what there is
  $ contextloom forget --user ann --yes    erase it, for good

The rules (backups, exports, logs) stand in docs/forgetting.md.`;

/** Adds `forget`: erases a user from all servers of the composition. */
export function registerForget(program: Command, context: CliContext): void {
  program
    .command('forget')
    .description('count everything that is stored about a user, and with --yes erase it, for good')
    .requiredOption('--user <id>', 'whom to forget', toUserId)
    .option('--yes', 'erase it; without it nothing is erased', false)
    .addHelpText('after', EXAMPLES)
    .action(async ({ user, yes }: ForgetOptions, command: Command) => {
      const globals = readGlobals(command);
      const args = { user_id: user, dry_run: !yes };
      const receipt = await withAggregator(context, globals, (aggregator) =>
        aggregator.call(FORGET_USER, args, forgetEverywhereAnswerSchema, { timeoutMs: TIMEOUT_MS }),
      );
      if (globals.json) printJson(context, receipt);
      else printReceipt(context, user, receipt);
      if (yes && receipt.unreached.length > 0) endAsFailed();
    });
}

const columns: readonly Column[] = [
  { title: 'server', flexible: true },
  { title: 'what', flexible: true },
  { title: 'count', minWidth: 5 },
];

function toOutcome(user: string, { dry_run, total }: ForgetEverywhereAnswer): string {
  if (total === 0) return `Nothing of ${user} is ${dry_run ? 'stored' : 'left'}.`;
  return dry_run ? 'Nothing was erased: --yes erases this, for good.' : `Erased ${total} of ${user}.`;
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
