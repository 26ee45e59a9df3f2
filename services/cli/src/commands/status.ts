import type { ServiceStatus } from '@contextloom/contracts';
import type { Command } from 'commander';
import { askServiceStatus, withAggregator } from '../aggregator.ts';
import { loadComposition } from '../composition/composition.ts';
import type { CliContext } from '../context.ts';
import { describeProxy, findProxy } from '../doctor/find-proxy.ts';
import { endAsFailed } from '../exit-codes.ts';
import { readGlobals } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { renderStatus } from '../output/tables/status-table.ts';

/** Adds `status`: which servers of the composition answer, and whether the proxy runs. */
export function registerStatus(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('show which servers of the composition answer')
    .addHelpText('after', '\nExample:\n  $ contextloom status --url http://127.0.0.1:8010/mcp')
    .action(async (_options: object, command: Command) => {
      const globals = readGlobals(command);
      const answer = await withAggregator(context, globals, askServiceStatus);
      const { env } = globals.url === undefined ? await loadComposition(context, globals) : context;
      const proxy = await findProxy(env, context);
      if (globals.json) printJson(context, { ...answer, proxy });
      else printLines(context, [renderStatus(answer, outputLook(context)), describe(answer), describeProxy(proxy)]);
      if (answer.status === 'down') endAsFailed();
    });
}

/** The aggregator itself answers: "down" is said of what stands behind it. */
function describe({ service, status }: ServiceStatus): string {
  return status === 'down' ? `${service} is down: not one of its servers answers` : `${service} is ${status}`;
}
