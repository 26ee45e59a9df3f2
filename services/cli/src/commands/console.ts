import type { Command } from 'commander';
import { z } from 'zod';
import type { CliContext } from '../context.ts';
import { readGlobals } from '../options.ts';
import { openBrowser } from '../output/open-browser.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { addUpOptions, runServices, type UpOptions } from './up.ts';

interface ConsoleOptions extends UpOptions {
  readonly browser: boolean;
}

/** How long a console that may be running takes to answer, in milliseconds. */
const ANSWER_MS = 2_000;
const readySchema = z.object({ status: z.string() });

/** Whether an aggregator answers there already. */
async function isServed(url: URL): Promise<boolean> {
  try {
    const response = await fetch(new URL('/ready', url), { signal: AbortSignal.timeout(ANSWER_MS) });
    return response.ok && readySchema.safeParse(await response.json()).success;
  } catch {
    return false; // Nothing listens there, or another program.
  }
}

/** Adds `console`: opens the page of the memory, and runs what it needs unless that runs already. */
export function registerConsole(program: Command, context: CliContext): void {
  addUpOptions(program.command('console'))
    .description('open the page of the memory in a browser; runs what `up` runs unless it runs already')
    .option('--no-browser', 'print the address, and open no browser')
    .action(async ({ browser, ...options }: ConsoleOptions, command: Command) => {
      const show = (url: URL): void => {
        if (browser) void openBrowser(url);
      };
      const globals = readGlobals(command);
      const url = new URL('/', globals.url ?? `http://${options.host}:${options.port}`);
      if (globals.url === undefined && !(await isServed(url))) return runServices(context, options, command, show);
      if (globals.json) printJson(context, { console: { url: url.href } });
      else printLines(context, [`console  ${outputLook(context).style.accent(url.href)}`]);
      show(url);
    });
}
