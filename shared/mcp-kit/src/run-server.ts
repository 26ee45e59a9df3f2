import type { Writable } from 'node:stream';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { addErrorHandling, createHttpApp, createMcpEndpoint, listen } from './http/index.ts';
import { createLog, type Log, logLevels } from './log.ts';
import { readSettings, type Settings, type SettingValues, setting, toPrintableSettings } from './settings.ts';

/** A command line flag of a server, beside those that every server has. */
export interface Flag {
  readonly type: 'string' | 'boolean';
  readonly description: string;
}

/** The parts of `node:process` that a server's outermost layer uses. */
export interface ProcessLike {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Writable;
  readonly stderr: Writable;
  exit(code: number): never;
  on(event: NodeJS.Signals, listener: () => void): unknown;
}

/** What a server's parts are built from. */
export interface BuildContext<S extends Settings> {
  readonly config: SettingValues<S>;
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly log: Log;
}

/** What a server is, built. */
export interface BuiltServer {
  readonly factory: McpServerFactory;
  readonly close?: () => Promise<void>;
}

/** A server's outermost layer as data. */
export interface RunServerOptions<S extends Settings> {
  readonly process: ProcessLike;
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  readonly settings: S;
  readonly flags?: Readonly<Record<string, Flag>>;
  readonly build: (context: BuildContext<S>) => BuiltServer | Promise<BuiltServer>;
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
    description: 'Host names beside localhost under which an HTTP door is reached, separated by commas',
  }),
};

const commonFlags: Readonly<Record<string, Flag>> = {
  http: { type: 'string', description: 'Serve streamable HTTP at /mcp on this port instead of stdio' },
  host: { type: 'string', description: 'The address to listen on with --http (default 127.0.0.1)' },
  'print-config': { type: 'boolean', description: 'Print the settings, and where each came from, and end' },
  version: { type: 'boolean', description: 'Print the version and end' },
  help: { type: 'boolean', description: 'Print this help and end' },
};

/** Reads the command line; unknown flags and stray words are errors that name them. */
export function parseFlags(argv: readonly string[], flags: Readonly<Record<string, Flag>>) {
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    Object.entries(flags).map(([name, { type }]) => [name, { type }]),
  );
  try {
    return parseArgs({ args: argv.slice(2), options, allowPositionals: false, strict: true }).values;
  } catch (cause) {
    const detail = cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : '';
    throw new ContextloomError('invalid', `${detail}. Try --help`, { cause });
  }
}

/** The help text of a command: what it is, its flags, the variables it reads. */
export function toHelp(
  usage: string,
  summary: string,
  flags: Readonly<Record<string, Flag>>,
  settings: Settings,
): string {
  const flagLines = Object.entries(flags).map(([name, flag]) => {
    const shown = `--${name}${flag.type === 'string' ? ` <${name}>` : ''}`;
    return `  ${shown.padEnd(24)} ${flag.description}`;
  });
  const settingLines = Object.values(settings).map(
    ({ env, description, default: value }) =>
      `  ${env.join(', ').padEnd(24)} ${description}${value === undefined || String(value) === '' ? '' : ` (default ${String(value)})`}`,
  );
  return [`${summary}\n\nUsage: ${usage}\n`, 'Flags:', ...flagLines, '\nEnvironment:', ...settingLines, ''].join('\n');
}

/**
 * The body of every server's entry file: flags, settings, transport, signals. Serves stdio until standard input ends, or
 * HTTP until a signal. A wrong flag or setting ends the process with code 2, a port in use with code 1.
 */
export async function runServer<S extends Settings>(options: RunServerOptions<S>): Promise<void> {
  const { process } = options;
  try {
    await run(options);
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    process.stderr.write(`${options.name}: ${error.message}\n`);
    process.exit(error.code === 'invalid' ? 2 : 1);
  }
}

async function run<S extends Settings>(options: RunServerOptions<S>): Promise<void> {
  const { process, name, version } = options;
  const allFlags = { ...options.flags, ...commonFlags };
  const settings = { ...options.settings, ...commonSettings };
  const flags = parseFlags(process.argv, allFlags) as Record<string, string | boolean | undefined>;
  if (flags['help'] === true) {
    process.stdout.write(toHelp(`node services/${name}/dist/server.js [flags]`, options.summary, allFlags, settings));
    return;
  }
  if (flags['version'] === true) {
    process.stdout.write(`${version}\n`);
    return;
  }
  const loaded = readSettings(settings, process.env);
  if (flags['print-config'] === true) {
    process.stdout.write(`${JSON.stringify(toPrintableSettings(settings, loaded), null, 2)}\n`);
    return;
  }
  const { logLevel, allowedHosts } = loaded.values as SettingValues<typeof commonSettings>;
  const log = createLog({ name, level: logLevel });
  const port = flags['http'] === undefined ? undefined : parsePort(flags['http']);
  const built = await options.build({ config: loaded.values as SettingValues<S>, flags, log });
  const host = String(flags['host'] ?? '127.0.0.1');
  const door =
    port === undefined
      ? openStdio(built, log, process, () => end())
      : await openHttp(built, { log, host, port, allowedHosts });
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ending ??= Promise.allSettled([door.close(), built.close?.()]).then(() => process.exit(0));
    return ending;
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

function parsePort(value: string | boolean): number {
  const port = z.coerce.number().int().min(0).max(65_535).safeParse(value);
  if (!port.success || String(value).trim() === '') {
    throw new ContextloomError('invalid', `--http must be a port, 0 to 65535; got "${String(value)}"`);
  }
  return port.data;
}

function openStdio(built: BuiltServer, log: Log, process: ProcessLike, onEnd: () => void) {
  const handle = serveStdio(built.factory, { onerror: (cause) => log.warn({ cause }, 'MCP message refused') });
  process.stdin.once('end', onEnd);
  process.stdin.once('close', onEnd);
  return { close: () => handle.close() };
}

interface OpenHttpOptions {
  readonly log: Log;
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
}

async function openHttp(built: BuiltServer, { log, host, port, allowedHosts }: OpenHttpOptions) {
  const app = createHttpApp({ allowedHosts: [...allowedHosts, host] });
  const endpoint = createMcpEndpoint(built.factory, { log });
  app.all('/mcp', endpoint.handle);
  app.get('/health', (_request, response) => {
    response.json({ status: 'running' });
  });
  addErrorHandling(app, { log });
  const listening = await listen(app, { host, port });
  log.info({ url: `${listening.url}/mcp` }, 'listening');
  return {
    close: async () => {
      await endpoint.close();
      await listening.close();
    },
  };
}
