import { LIST_USERS, type ListAllUsersAnswer } from '@contextloom/contracts';
import type { Command } from 'commander';
import { withAggregator } from '../aggregator.ts';
import type { CliContext } from '../context.ts';
import { endAsFailed } from '../exit-codes.ts';
import { readGlobals } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { type Column, renderTable } from '../output/tables/table.ts';
import { toPlainLine } from '../output/text/plain.ts';

/** Stores are counted row by row. */
const TIMEOUT_MS = 600_000;

const columns: readonly Column[] = [
  { title: 'user', flexible: true },
  { title: 'server', flexible: true },
  { title: 'what there is', flexible: true },
];

/** Adds `users`: whose memories there are, and how many. */
export function registerUsers(program: Command, context: CliContext): void {
  program
    .command('users')
    .description('list whose memories there are, with counts for each server and the sizes of the stores')
    .addHelpText('after', '\nExample:\n  $ contextloom users --json')
    .action(async (_options: unknown, command: Command) => {
      const globals = readGlobals(command);
      const answer = await withAggregator(context, globals, (aggregator) =>
        aggregator.call(LIST_USERS, {}, { timeoutMs: TIMEOUT_MS }),
      );
      if (globals.json) printJson(context, answer);
      else printUsers(context, answer);
      if (answer.unreached.length > 0) endAsFailed();
    });
}

const toMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

function printUsers(context: CliContext, { users, stores, unreached }: ListAllUsersAnswer): void {
  const rows = users.flatMap(({ user_id, stores: places }) =>
    places.map(({ server, counts }, at) => [
      at === 0 ? toPlainLine(user_id) : '',
      server,
      toPlainLine(counts.map(({ what, count }) => `${count} ${what}`).join(', ')),
    ]),
  );
  const sizes = stores.flatMap(({ server, bytes }) => (bytes === undefined ? [] : `${server} ${toMegabytes(bytes)}`));
  printLines(context, [
    ...(rows.length === 0 ? [] : [renderTable(columns, rows, outputLook(context))]),
    ...unreached.map(({ server, what, why }) => toPlainLine(`out of reach at ${server}: ${what} (${why})`)),
    users.length === 1 ? '1 user' : `${users.length} users`,
    ...(sizes.length === 0 ? [] : [`stores: ${sizes.join(', ')}`]),
  ]);
}
