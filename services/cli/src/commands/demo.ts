import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { renderDemo } from '../demo/render-demo.ts';
import { runDemo } from '../demo/run-demo.ts';
import { loadScenarios } from '../demo/scenarios.ts';
import { readGlobals, refuseUrl } from '../options.ts';
import { outputLook, outputWidth, printJson, printLines } from '../output/print.ts';
import { createStyle, hasColors } from '../output/text/style.ts';
import { wrapAtSpaces } from '../output/text/text-width.ts';

interface DemoCommandOptions {
  readonly keep: boolean;
  readonly full: boolean;
}

const QUESTIONS_EACH = 2;

/** Adds `demo`: the main job on shipped conversations, in a temporary folder. */
export function registerDemo(program: Command, context: CliContext): void {
  program
    .command('demo')
    .description('see two conversations become memories and prompts, in a temporary folder')
    .option('--keep', 'leave the data folder behind', false)
    .option('--full', 'ask every question and show prompts uncut', false)
    .addHelpText('after', '\nExample:\n  $ contextloom demo --full | less')
    .action(async ({ keep, full }: DemoCommandOptions, command: Command) => {
      refuseUrl(command);
      const globals = readGlobals(command);
      const style = createStyle(hasColors(context.stderr, context.env));
      const report = await runDemo({
        context,
        globals,
        keep,
        scenarios: await loadScenarios(),
        questionsEach: full ? Number.POSITIVE_INFINITY : QUESTIONS_EACH,
        onStep: (step) => {
          const lines = wrapAtSpaces(`… ${step}`, outputWidth(context.stderr), '  ');
          context.stderr.write(`${style.faint(lines.join('\n'))}\n`);
        },
      });
      if (globals.json) printJson(context, report);
      else printLines(context, renderDemo(report, outputLook(context), full));
    });
}
