import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { examine } from '../doctor/examine.ts';
import { renderReport } from '../doctor/render-report.ts';
import { endAsFailed } from '../exit-codes.ts';
import { readGlobals } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';

const EXAMPLES = `
Examples:
  $ contextloom doctor                                     of the composition of the installation
  $ contextloom doctor --all                               with every setting there is
  $ contextloom doctor --config my_mcp_config.json
  $ contextloom doctor --url http://127.0.0.1:8010/mcp     its status from an aggregator that runs`;

/** Adds `doctor`: what is set, from where, and whether it works. */
export function registerDoctor(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('show what is set, from where, and whether it works')
    .option('--all', 'show settings at their defaults too', false)
    .addHelpText('after', EXAMPLES)
    .action(async ({ all }: { readonly all: boolean }, command: Command) => {
      const globals = readGlobals(command);
      const report = await examine(context, globals);
      if (globals.json) printJson(context, report);
      else printLines(context, renderReport(report, { ...outputLook(context), all }));
      if (!report.success) endAsFailed();
    });
}
