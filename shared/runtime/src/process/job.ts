import type { Environment, Settings, SettingValues } from '../settings/settings.ts';
import {
  commonSettings,
  type Flag,
  type FlagValues,
  type ProcessLike,
  readCommand,
  runCommand,
} from './command-line.ts';
import { type EntryFile, toLogName, toProgramName, toUsage } from './entry-file.ts';
import { createLog, type Log } from './log.ts';

/** Exit code of a job that Ctrl-C ended before it was done, as shells have it: 128 and the number of SIGINT. */
export const INTERRUPTED = 130;

/** What the work of a command begins with. */
export interface CommandContext<S extends Settings> {
  readonly config: SettingValues<S>;
  readonly flags: FlagValues;
  /** The variables that the settings were read from. */
  readonly env: Environment;
  readonly log: Log;
}

/** What a job works with. */
export interface JobContext<S extends Settings> extends CommandContext<S> {
  /**
   * For a job that can stop half way: from this call on the first SIGINT or SIGTERM aborts the signal, and the second ends
   * the process. Without it the first one ends the process.
   */
  readonly catchInterrupt: () => AbortSignal;
}

/** What a job has to say: a text is printed as it is, an object as JSON. */
export type JobReport = object | string;

/** Work that ends, instead of serving. It may set `process.exitCode`. */
export type Job<S extends Settings> = (context: JobContext<S>) => Promise<JobReport>;

/** A program that does one job and ends. */
export interface RunJobOptions<S extends Settings> extends EntryFile {
  readonly process: ProcessLike;
  readonly version: string;
  readonly summary: string;
  readonly settings: S;
  readonly flags?: Readonly<Record<string, Flag>>;
  readonly run: Job<S>;
}

function catchInterrupt(process: ProcessLike): AbortSignal {
  const interrupted = new AbortController();
  const onSignal = (): void => {
    if (interrupted.signal.aborted) process.exit(INTERRUPTED);
    interrupted.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return interrupted.signal;
}

/** Does a job, prints its report, and ends the process. */
export async function doJob<S extends Settings>(
  job: Job<S>,
  process: ProcessLike,
  context: CommandContext<S>,
): Promise<void> {
  await printAndExit(process, await job({ ...context, catchInterrupt: () => catchInterrupt(process) }));
}

/** Prints a text, or an object as JSON, and ends the process once it is written; without a code with `process.exitCode`. */
export async function printAndExit(process: ProcessLike, report: JobReport, code?: number): Promise<void> {
  const text = typeof report === 'string' ? report : JSON.stringify(report, null, 2);
  await new Promise((resolve) => process.stdout.write(`${text}\n`, resolve));
  if (code === undefined) process.exit(); // An argument, even undefined, would replace process.exitCode.
  process.exit(code);
}

/**
 * The body of an entry file that does one job: flags, settings, signals, the report on standard output. A wrong flag or
 * setting ends the process with code 2, a failure with code 1.
 */
export function runJob<S extends Settings>(options: RunJobOptions<S>): Promise<void> {
  const { process, version, summary, flags = {} } = options;
  return runCommand(process, toProgramName(options), async () => {
    const settings = { ...options.settings, ...commonSettings };
    const given = readCommand(process, { usage: toUsage(options), summary, version, flags, settings });
    if (given === undefined) return;
    const config = given.config as SettingValues<S> & SettingValues<typeof commonSettings>;
    const log = createLog({ name: toLogName(options), level: config.logLevel });
    await doJob(options.run, process, { config, flags: given.flags, env: process.env, log });
  });
}
