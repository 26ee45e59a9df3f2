import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { runMemoryProcessor } from '../conversations/memory-processor.ts';
import { readGlobals, refuseUrl, toInteger } from '../options.ts';

/** Adds `worker`: reads the conversations that were stored as jobs, apart from the servers. */
export function registerWorker(program: Command, context: CliContext): void {
  program
    .command('worker')
    .description('read the conversations that were stored with "wait": false, until it is ended')
    .option('--concurrency <count>', 'jobs at once, one of each user: 1 to 64, 2 without it', toInteger(1, 64), 2)
    .addHelpText('after', '\nExample:\n  $ contextloom worker --concurrency 8')
    .action(async ({ concurrency }: { readonly concurrency: number }, command: Command) => {
      refuseUrl(command);
      const globals = { ...readGlobals(command), verbose: true };
      await runMemoryProcessor('server.js', ['--worker', String(concurrency)], context, globals);
    });
}
