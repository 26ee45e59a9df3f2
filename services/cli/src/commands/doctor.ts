import { readFile } from 'node:fs/promises';
import { ContextloomError } from '@contextloom/contracts';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { examine } from '../doctor/examine.ts';
import { renderReport } from '../doctor/render-report.ts';
import { findRepairs, type Repair } from '../doctor/repairs.ts';
import type { DoctorReport } from '../doctor/report.ts';
import { endAsFailed } from '../exit-codes.ts';
import { readGlobals, refuseAddress } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';

/**
 * Finds the lines of a `.env` file that set nothing, such as one without "=". A value in quotes may have several lines.
 * @returns their numbers, from 1
 */
export function findBrokenLines(text: string): readonly number[] {
  const broken: number[] = [];
  let open: string | undefined;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (open !== undefined) {
      if (line.includes(open)) open = undefined;
      continue;
    }
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [, value] = /^(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(\S?.*)$/.exec(trimmed) ?? [];
    if (value === undefined) broken.push(at + 1);
    else open = toOpenQuote(value);
  }
  return broken;
}

/** The quote that a value opens and does not close. */
function toOpenQuote(value: string): string | undefined {
  const [quote = ''] = value;
  return ['"', "'", '`'].includes(quote) && !value.slice(1).includes(quote) ? quote : undefined;
}

const EXAMPLES = `
Examples:
  $ contextloom doctor                                     of the composition of the installation
  $ contextloom doctor --all                               with every setting there is
  $ contextloom doctor --fix                               mend what can be mended, after a question
  $ contextloom doctor --config my_mcp_config.json
  $ contextloom doctor --url http://127.0.0.1:8010/mcp     its status from an aggregator that runs`;

interface DoctorOptions {
  readonly all: boolean;
  readonly fix: boolean;
  readonly yes: boolean;
}

/** Adds `doctor`: what is set, from where, and whether it works. */
export function registerDoctor(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('show what is set, from where, and whether it works')
    .option('--all', 'show settings at their defaults too', false)
    .option('--fix', 'mend missing folders, secrets that others can read, and locks of killed processes', false)
    .option('--yes', 'mend without a question', false)
    .addHelpText('after', EXAMPLES)
    .action(async ({ all, fix, yes }: DoctorOptions, command: Command) => {
      const globals = readGlobals(command);
      if (fix) refuseAddress(command);
      const first = await examine(context, globals);
      const repairs = fix ? await findRepairs(first, toMachine(context)) : [];
      const isMended = repairs.length > 0 && (await mayMend(repairs, { context, yes, isJson: globals.json }));
      if (isMended) for (const repair of repairs) await repair.run();
      const report = isMended ? await examine(context, globals) : first;
      const env = fix ? await describeEnvFile(report) : [];
      if (globals.json) printJson(context, fix ? { ...report, repaired: isMended ? toTexts(repairs) : [] } : report);
      else printLines(context, [...renderReport(report, { ...outputLook(context), all }), ...env]);
      if (!report.success) endAsFailed();
    });
}

const toMachine = ({ machine, clock }: CliContext) => ({ platform: machine?.platform, now: clock().getTime() });

const toTexts = (repairs: readonly Repair[]): readonly string[] => repairs.map(({ description }) => description);

interface Asking {
  readonly context: CliContext;
  readonly yes: boolean;
  readonly isJson: boolean;
}

/** Shows what would be done and asks. @throws ContextloomError `invalid` where there is no terminal to ask on */
async function mayMend(repairs: readonly Repair[], { context, yes, isJson }: Asking): Promise<boolean> {
  if (!isJson) printLines(context, ['To mend:', ...toTexts(repairs).map((text) => `  ${text}`)]);
  if (yes) return true;
  if (context.ask === undefined || isJson) {
    throw new ContextloomError('invalid', `there is something to mend: ${toTexts(repairs).join('; ')}. Pass --yes`, {
      field: '--yes',
    });
  }
  return /^y(?:es)?$/i.test((await context.ask('Do it? [y/N] ')).trim());
}

/** What only a person can mend in the `.env` file. */
async function describeEnvFile({ env_file }: DoctorReport): Promise<readonly string[]> {
  if (env_file === undefined) return [];
  const lines = findBrokenLines(await readFile(env_file.file, 'utf8'));
  return lines.map((line) => `${env_file.file}: line ${line} sets nothing; write NAME=value`);
}
