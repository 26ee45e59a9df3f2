import { type ServiceStatus, serviceStatusSchema } from '@contextloom/contracts';
import type { Command } from 'commander';
import { withAggregator } from '../aggregator.ts';
import type { CliContext } from '../context.ts';
import { readGlobals } from '../options.ts';
import { toPlainLine } from '../output/plain.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { type Column, renderTable } from '../output/table.ts';

/** Adds `status`: which servers of the composition answer. */
export function registerStatus(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('show which servers of the composition answer')
    .addHelpText('after', '\nExample:\n  $ contextloom status --url http://127.0.0.1:8010/mcp')
    .action(async (_options: object, command: Command) => {
      const globals = readGlobals(command);
      const answer = await withAggregator(context, globals, (aggregator) =>
        aggregator.call('get_service_status', {}, serviceStatusSchema),
      );
      if (globals.json) return printJson(context, answer);
      printStatus(context, answer);
    });
}

function printStatus(context: CliContext, { service, status, components }: ServiceStatus): void {
  const servers = Object.entries(components);
  const withReason = servers.some(([, { reason }]) => reason !== undefined);
  const rows = servers.map(([name, component]) => [
    toPlainLine(name),
    component.status,
    component.tools === undefined ? '–' : String(component.tools),
    ...(withReason ? [toPlainLine(component.reason ?? '')] : []),
  ]);
  const columns: readonly Column[] = [
    ...[{ title: 'server' }, { title: 'status' }, { title: 'tools', align: 'right' as const }],
    ...(withReason ? [{ title: 'reason', flexible: true }] : []),
  ];
  printLines(context, [renderTable(columns, rows, outputLook(context)), `${service} is ${status}`]);
}
