import type { Writable } from 'node:stream';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { z } from 'zod';
import {
  type Environment,
  readSettings,
  type Settings,
  type SettingValues,
  setting,
  toPrintableSettings,
} from '../settings/settings.ts';
import { ignoreBrokenPipe } from './broken-pipe.ts';
import { logLevels } from './log.ts';

/** A command line flag of a command. */
export interface Flag {
  readonly type: 'string' | 'boolean';
  /** Whether a string flag may stand alone, which reads as an empty text. */
  readonly isValueOptional?: boolean;
  readonly description: string;
}

/** Flags as they were given, by name. */
export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

/** The parts of `node:process` that a command's outermost layer uses. */
export interface ProcessLike {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Without a code it ends with that of `process.exitCode`. */
  exit(code?: number): never;
  on(event: NodeJS.Signals, listener: () => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
  on(event: 'unhandledRejection', listener: (cause: unknown) => void): unknown;
}

/** What a command line is read from, and where `--help` and its like are answered. */
export interface CommandInput extends Pick<ProcessLike, 'argv' | 'env'> {
  readonly stdout: { write(text: string): unknown };
}

/** A command as data: how it is called, what it is, what it takes. */
export interface CommandDefinition<S extends Settings> {
  /** How it is called, such as `node services/persona/dist/server.js [flags]`. */
  readonly usage: string;
  readonly summary: string;
  readonly version: string;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly settings: S;
  /** Reads the file that settings may stand in; absent for a command that takes none. */
  readonly readConfigFile?: ((flags: FlagValues, env: Environment) => unknown) | undefined;
}

/** The settings that every server has. */
export const commonSettings = {
  logLevel: setting({
    env: ['LOG_LEVEL'],
    schema: z.enum(logLevels),
    default: 'info' as const,
    description: `How much is logged to standard error: ${logLevels.join(', ')}`,
  }),
  allowedHosts: setting({
    env: ['ALLOWED_HOSTS'],
    schema: z.string().transform((text) =>
      text
        .split(',')
        .map((host) => host.trim())
        .filter((host) => host !== ''),
    ),
    default: [] as string[],
    description: 'Host names besides localhost under which an HTTP door is reached, separated by commas',
  }),
  otlpEndpoint: setting({
    env: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
    description: 'Where OpenTelemetry traces are sent, over HTTP, such as http://127.0.0.1:4318; none without it',
  }),
};

const commonFlags: Readonly<Record<string, Flag>> = {
  'print-config': { type: 'boolean', description: 'Print the settings, and where each came from, and end' },
  version: { type: 'boolean', description: 'Print the version and end' },
  help: { type: 'boolean', description: 'Print this help and end' },
};

/** What a command was given. */
export interface GivenCommand<S extends Settings> {
  readonly flags: FlagValues;
  readonly config: SettingValues<S>;
  /** The settings as `--print-config` shows them. */
  readonly printable: Readonly<Record<string, unknown>>;
}

/**
 * Reads the command line and the environment. `--help`, `--version` and `--print-config` are answered here.
 * @returns what was given, or undefined when the answer was all that was asked
 * @throws ContextloomError `invalid`, naming the flag or the variable
 */
export function readCommand<S extends Settings>(
  process: CommandInput,
  command: CommandDefinition<S>,
): GivenCommand<S> | undefined {
  const allFlags = { ...toSettingFlags(command.settings), ...command.flags, ...commonFlags };
  const flags = parseFlags(process.argv, allFlags);
  if (flags['help'] === true) return answer(process, toHelp(command, allFlags));
  if (flags['version'] === true) return answer(process, command.version);
  const file = command.readConfigFile?.(flags, process.env);
  const loaded = readSettings(command.settings, process.env, { flags, file });
  const printable = toPrintableSettings(command.settings, loaded);
  if (flags['print-config'] === true) return answer(process, JSON.stringify(printable, null, 2));
  return { flags, config: loaded.values, printable };
}

/** The flags by which settings are given. */
function toSettingFlags(settings: Settings): Readonly<Record<string, Flag>> {
  const entries = Object.values(settings).flatMap(({ flag, description }) =>
    flag === undefined ? [] : [[flag.name, { type: flag.type, description }] as const],
  );
  return Object.fromEntries(entries);
}

function answer({ stdout }: CommandInput, text: string): undefined {
  stdout.write(`${text}\n`);
}

/** Gives an empty value to flags that may stand alone; `parseArgs` would refuse them. */
function completeArgs(args: readonly string[], flags: Readonly<Record<string, Flag>>): string[] {
  return args.map((arg, at) => {
    const isAlone = (args[at + 1] ?? '-').startsWith('-');
    return isAlone && arg.startsWith('--') && flags[arg.slice(2)]?.isValueOptional === true ? `${arg}=` : arg;
  });
}

function parseFlags(argv: readonly string[], flags: Readonly<Record<string, Flag>>): FlagValues {
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    Object.entries(flags).map(([name, { type }]) => [name, { type }]),
  );
  try {
    const { values } = parseArgs({
      args: completeArgs(argv.slice(2), flags),
      options,
      allowPositionals: false,
      strict: true,
    });
    return values as FlagValues;
  } catch (cause) {
    const detail = cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : '';
    throw new ContextloomError('invalid', `${detail}. Try --help`, { cause });
  }
}

function toHelp<S extends Settings>(command: CommandDefinition<S>, flags: Readonly<Record<string, Flag>>): string {
  const flagLines = Object.entries(flags).map(([name, flag]) => {
    const shown = `--${name}${flag.type === 'string' ? ` <${name}>` : ''}`;
    return `  ${shown.padEnd(24)} ${flag.description}`;
  });
  const settingLines = Object.values(command.settings).map(({ env, description, default: value }) => {
    const shown = value === undefined || String(value) === '' ? '' : ` (default ${String(value)})`;
    return `  ${env.join(', ').padEnd(24)} ${description}${shown}`;
  });
  const head = `${command.summary}\n\nUsage: ${command.usage}\n`;
  return [head, 'Flags:', ...flagLines, '\nEnvironment:', ...settingLines].join('\n');
}

/**
 * Runs a command's body; its failure is one line on standard error. A wrong flag or setting ends the process with code 2,
 * any other failure with code 1. A reader of its output that goes away is no failure.
 */
export async function runCommand(process: ProcessLike, name: string, body: () => Promise<void>): Promise<void> {
  ignoreBrokenPipe(process);
  try {
    await body();
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(error.code === 'invalid' ? 2 : 1);
  }
}
