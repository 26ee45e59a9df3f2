import type { Principal } from '@contextloom/access';
import {
  type Access,
  type AccessConfig,
  accessSettings,
  createCallMetrics,
  openAccess,
  openKeyDatabase,
} from '@contextloom/access';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { Settings, SettingValues } from '@contextloom/runtime';
import {
  type CommandContext,
  commonSettings,
  createLog,
  doJob,
  type EntryFile,
  endOnSignals,
  type Flag,
  type FlagValues,
  type Log,
  outliveRejections,
  type ProcessLike,
  printAndExit,
  readCommand,
  runCommand,
  toLogName,
  toProgramName,
  toUsage,
} from '@contextloom/runtime';
import type { Tracing } from '@contextloom/runtime/tracing';
import { z } from 'zod';
import { createApi } from './http/api.ts';
import type { Listening } from './http/listen.ts';
import { listenHttp } from './http/listen-http.ts';
import { createMcpEndpoint, type McpEndpoint } from './http/mcp-endpoint.ts';
import { toReadyRoute } from './http/ready-route.ts';
import { createSessionSeal } from './http/session-seal.ts';
import { openSite } from './http/site.ts';
import { createStdioTransport } from './messages/stdio-transport.ts';
import type { MaskCall } from './privacy/mask-call.ts';
import { loadMask, privacySettings } from './privacy/privacy.ts';
import { refuseHandshake } from './process/refuse-handshake.ts';
import { readOnlyFlag, serveOver, toPrincipal } from './serve-over.ts';
import { type ServerFactory, withMask } from './server/server-factory.ts';
import type { BuildContext, BuiltServer, HttpAddress, ServerProgram } from './server-program.ts';
import { lookAtStores } from './stores.ts';

type ServerConfig<S extends Settings> = SettingValues<S> &
  SettingValues<typeof commonSettings> &
  SettingValues<typeof privacySettings> &
  AccessConfig;

/** A server, the process that it runs in, and how it reaches other servers. */
export interface RunServerOptions<S extends Settings> extends ServerProgram<S> {
  readonly process: ProcessLike;
}

type Flags = Readonly<Record<string, Flag>>;

const toHttpFlags = (hasAddress: boolean): Flags => ({
  http: {
    type: 'string',
    isValueOptional: hasAddress,
    description: 'Serve streamable HTTP at /mcp on this port instead of stdio',
  },
  host: { type: 'string', description: 'The address to listen on with --http (default 127.0.0.1)' },
});

const commonServerFlags: Flags = {
  check: { type: 'boolean', description: 'Try out what the server needs, print it with the settings as JSON, and end' },
  stores: {
    type: 'string',
    description:
      'Print how far the schemas of its stores are, as JSON, and end: check changes nothing, migrate brings them up to date',
  },
  insecure: { type: 'boolean', description: 'Let others than this machine in over HTTP without keys' },
  ...readOnlyFlag,
};

/**
 * The body of every server's entry file: flags, settings, transport, signals. Serves stdio until standard input has
 * ended and what is under way is answered, or HTTP until a signal; with `--check` it serves nothing, prints what it found, and ends, with code 1 when a check failed. A wrong flag or setting ends the process with code 2, a port in use with code 1.
 */
export function runServer<S extends Settings>(options: RunServerOptions<S>): Promise<void> {
  return runCommand(options.process, toProgramName(options), () => run(options));
}

async function run<S extends Settings>(options: RunServerOptions<S>): Promise<void> {
  const { process, version, summary, isHttpOnly = false } = options;
  const command = {
    usage: toUsage(options),
    summary,
    version,
    flags: { ...options.flags, ...commonServerFlags, ...(!isHttpOnly && toHttpFlags(options.address !== undefined)) },
    settings: { ...options.settings, ...commonSettings, ...privacySettings, ...accessSettings },
    readConfigFile: options.readConfigFile,
  };
  const orTell = <T>(work: () => T | Promise<T>) => (isHttpOnly ? work() : orTellClient(process, work));
  const given = await orTell(() => readCommand(process, command));
  if (given === undefined) return;
  const { flags } = given;
  const config = given.config as ServerConfig<S>;
  const log = createLog({ name: toLogName(options), level: config.logLevel });
  if (flags['check'] === true) return printChecks(options, { config, flags, log, env: process.env }, given.printable);
  if (typeof flags['stores'] === 'string') {
    return printStores(options, { config, flags, log, env: process.env }, flags['stores']);
  }
  const job = Object.keys(options.jobs ?? {}).find((flag) => typeof flags[flag] === 'string' || flags[flag] === true);
  if (job !== undefined) return doFlagJob(options, job, { config, flags, log, env: process.env });
  outliveRejections(process, log);
  const address = toAddress(isHttpOnly ? { http: '' } : flags, options.address?.(config));
  const principal = toPrincipal(flags);
  const access = address && (await openHttpAccess(options, { config, principal, log }));
  const tracing = await openTracingOf(options, config, log);
  const mask = await orTell(() => loadMask(config, options.name));
  const built = await orTell(() => options.build({ config, flags, log, env: process.env, access }));
  const endpoint =
    address === undefined
      ? openStdio(built, { log, mask, principal, process, onEnd: () => end() })
      : await openHttp(built, { ...options, ...address, log, mask, access, config });
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    void endServer([endpoint.close, built.close, access?.close, tracing?.close], log).finally(() => process.exit(0));
  };
  endOnSignals(process, end);
  process.on('disconnect', end); // The parent that started it with a channel has ended.
}

async function openTracingOf(
  options: Pick<RunServerOptions<Settings>, 'name' | 'version'>,
  { otlpEndpoint: endpoint }: Pick<SettingValues<typeof commonSettings>, 'otlpEndpoint'>,
  log: Log,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { openTracing } = await import('@contextloom/runtime/tracing');
  return openTracing({ endpoint, name: options.name, version: options.version, log });
}

async function openHttpAccess<S extends Settings>(
  { name: server, openToAll, openAuthorization }: RunServerOptions<S>,
  {
    config,
    principal: local,
    log,
  }: { readonly config: ServerConfig<S>; readonly principal: Principal; readonly log: Log },
): Promise<Access> {
  const metrics = await createCallMetrics();
  const clock = (): Date => new Date();
  const { keysUrl: url, keysFile: file } = config;
  const keyDatabase = url === undefined ? undefined : await openKeyDatabase({ url, file, log });
  const authorization = await openAuthorization?.({ config, server, keyDatabase, clock, log });
  const opened = { metrics, authorization, keyDatabase, clock, log };
  return openAccess({ config, server, local, openToAll: openToAll?.(config), ...opened });
}

/** A file that the job cannot read or write is a wrong flag. */
async function doFlagJob<S extends Settings>(
  { process, jobs = {} }: RunServerOptions<S>,
  flag: string,
  context: CommandContext<S>,
): Promise<void> {
  const job = jobs[flag];
  if (job === undefined) return;
  try {
    await doJob(job, process, context);
  } catch (cause) {
    if (!(cause instanceof Error && 'path' in cause && 'code' in cause)) throw cause;
    const message = `--${flag} cannot use ${cause.path}: ${cause.code}`;
    throw new ContextloomError('invalid', message, { field: flag, cause });
  }
}

/** Over stdio, a client waits on the other side that wants to know why there is no server. */
async function orTellClient<T>(process: ProcessLike, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Looked for by hand: it may be the flags that cannot be read.
    const hasClient = !process.argv.some((arg) => /^--(?:http|check|stores)(?:=|$)/.test(arg));
    if (hasClient && isContextloomError(error)) await refuseHandshake(error, process);
    throw error;
  }
}

/** Ends with code 1 when a check failed. What a late one leaves open must not keep the process from ending. */
async function printChecks<S extends Settings>(
  { process, checks }: RunServerOptions<S>,
  context: BuildContext<S>,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const found = (await checks?.(context)) ?? [];
  const code = found.some(({ status }) => status === 'failed') ? 1 : 0;
  await printAndExit(process, { settings, checks: found }, code);
}

async function printStores<S extends Settings>(
  { process, stores }: RunServerOptions<S>,
  context: BuildContext<S>,
  mode: string,
): Promise<void> {
  const found = await lookAtStores({ stores: (await stores?.(context)) ?? [], mode, log: context.log });
  await printAndExit(process, found, 0);
}

/** Something that takes calls until it is closed. */
interface Endpoint {
  readonly close: () => Promise<void>;
}

/** First the endpoint, then what stands behind it: a call that is still answered needs it. */
async function endServer(closes: readonly (BuiltServer['close'] | undefined)[], log: Log): Promise<void> {
  for (const close of closes) {
    await close?.().catch((cause: unknown) => log.error({ cause }, 'closing failed'));
  }
}

/** Where the flags ask to listen; undefined without `--http`. */
function toAddress(flags: FlagValues, usual: HttpAddress | undefined): HttpAddress | undefined {
  const http = flags['http'];
  if (http === undefined) return undefined;
  const host = String(flags['host'] ?? usual?.host ?? '127.0.0.1');
  if (http === '' && usual !== undefined) return { ...usual, host };
  const port = z.coerce.number().int().min(0).max(65_535).safeParse(http);
  if (!port.success || String(http).trim() === '') {
    throw new ContextloomError('invalid', `--http must be a port, 0 to 65535; got "${String(http)}"`);
  }
  return { host, port: port.data };
}

interface OpenStdioOptions {
  readonly log: Log;
  readonly mask: MaskCall | undefined;
  readonly principal: Principal;
  readonly process: Pick<ProcessLike, 'stdin' | 'stdout'>;
  readonly onEnd: () => void;
}

function openStdio({ factory }: BuiltServer, { log, mask, principal, process, onEnd }: OpenStdioOptions): Endpoint {
  const { stdin, stdout } = process;
  const onRefused = (cause: Error): void => log.warn({ cause }, 'MCP message refused');
  const transport = createStdioTransport({ stdin, stdout, onRefused, onEnd });
  return serveOver(withMask(factory, mask), { transport, principal, log });
}

interface OpenHttpOptions extends HttpAddress, EntryFile {
  readonly version: string;
  readonly summary: string;
  readonly isHttpOnly?: boolean;
  readonly log: Log;
  readonly mask: MaskCall | undefined;
  readonly access: Access | undefined;
  readonly config: AccessConfig & SettingValues<typeof commonSettings>;
}

async function openHttp(built: BuiltServer, options: OpenHttpOptions): Promise<Endpoint> {
  const { name, version, summary, log, mask, access, host, port, config } = options;
  const { toReadiness } = built;
  const isAuthRequired = (): boolean => access?.guard.isAuthRequired?.() === true;
  const routes = toReadiness === undefined ? [] : [toReadyRoute({ toReadiness, isAuthRequired })];
  const api = built.api ?? createApi({ title: name, description: summary, version, routes, deps: undefined, log });
  // Replicas know each other by the secret that their settings give all of them.
  const seal = config.houseSecret === undefined ? undefined : createSessionSeal(config.houseSecret);
  const toEndpoint = (factory: ServerFactory): McpEndpoint =>
    createMcpEndpoint(withMask(factory, mask), { log, audit: access?.audit, seal });
  const mcp = toEndpoint(built.factory);
  const at = Object.fromEntries(Object.entries(built.at ?? {}).map(([path, factory]) => [path, toEndpoint(factory)]));
  const { allowInsecure: isInsecure, publicUrl } = config;
  const allowedHosts = [...config.allowedHosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])];
  const site = built.site === undefined ? undefined : await openSite(built.site);
  const endpoint = await listenHttp(api, {
    mcp,
    at,
    site,
    mask,
    host,
    port,
    allowedHosts,
    access,
    isInsecure,
    log,
  }).catch(async (error: unknown) => {
    await built.close?.();
    throw withSettings(error, options);
  });
  log.info({ ...toAddresses(endpoint, options), ...built.about }, 'listening');
  return endpoint;
}

const toAddresses = ({ url }: Listening, { isHttpOnly }: OpenHttpOptions): object =>
  isHttpOnly === true ? { url, mcp: `${url}/mcp` } : { url: `${url}/mcp` };

function withSettings(error: unknown, { setBy }: HttpAddress): unknown {
  if (setBy === undefined || !isContextloomError(error)) return error;
  return new ContextloomError(error.code, `${error.message} (${setBy})`, { cause: error });
}
