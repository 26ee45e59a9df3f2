import { type Authorize, accessSettings, createAuthorize } from '@contextloom/access';
import { ContextloomError, type InputOf, type ServiceStatus } from '@contextloom/contracts';
import { type AggregatorContract, aggregator as contract } from '@contextloom/contracts/aggregator';
import {
  createUpstreams,
  installationRoot,
  type ServerEntry,
  type ToolAnswer,
  type UpstreamFailure,
  type UpstreamProgress,
  type UpstreamResult,
  type Upstreams,
} from '@contextloom/mcp-client';
import { createLog, readSettings, setting, silentLog } from '@contextloom/runtime';
import { z } from 'zod';
import { loadComposition } from './composition/composition.ts';
import { entryFile } from './composition/installation.ts';
import type { CliContext, GlobalOptions } from './context.ts';
import { toPlainLine } from './output/text/plain.ts';
import { version } from './version.ts';

/** The aggregator's key in every MCP client configuration. */
export const AGGREGATOR = 'context-aggregator';

const addressed = {
  key: setting({
    env: ['CONTEXTLOOM_KEY'],
    schema: z.string(),
    secret: true,
    description: 'The key that is shown to the aggregator at --url',
  }),
  keysFile: accessSettings.keysFile,
  houseSecret: accessSettings.houseSecret,
};

/** Start-up of the aggregator and of the servers behind it, and the work of a plain question. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** How a call is made. */
export interface AggregatorCallOptions {
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: UpstreamProgress) => void;
}

/** An open way to the aggregator. */
export interface Aggregator {
  /**
   * Calls a tool and parses its answer.
   * @throws ContextloomError in the aggregator's own words, or `unavailable` or `timeout` when it gives no answer
   */
  readonly call: <Name extends keyof AggregatorContract>(
    tool: Name,
    args: InputOf<AggregatorContract, Name>,
    options?: AggregatorCallOptions,
  ) => Promise<z.output<AggregatorContract[Name]['output']>>;
  readonly close: () => Promise<void>;
}

function definedOnly(env: CliContext['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** A ticket of this installation goes to this machine alone; a key goes where the user says. */
function toAuthorize(url: string, { env }: CliContext): Authorize {
  const { values } = readSettings(addressed, env);
  const { key: apiKey, keysFile, houseSecret } = values;
  const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
  return createAuthorize({ apiKey, ...(isOwn && { keysFile, houseSecret }) });
}

/** What of the aggregator's operations a command needs: those of applications, or those on single memories too. */
type Profile = 'app' | 'all';

/** The address of a profile; one that names a profile itself stays. */
const toProfileUrl = (url: string, profile: Profile): string =>
  profile === 'all' ? url.replace(/\/mcp\/?$/u, '/mcp/all') : url;

async function toServerEntry(context: CliContext, globals: GlobalOptions, profile: Profile): Promise<ServerEntry> {
  if (globals.url !== undefined) {
    const url = toProfileUrl(globals.url, profile);
    return { url, headers: {}, authorize: toAuthorize(url, context) };
  }
  const { file, env: own } = await loadComposition(context, globals);
  // One process starts in half the time of the aggregator and a process for each server that a command needs.
  const args = [entryFile('single-process', 'server.js'), '--config', file, '--profile', profile];
  // A server of the composition that reads it too must read the same one. A command may be about any user: where nothing else is said,
  // a personal memory that an older composition starts for one user opens its file for all of them.
  const env = { MULTI_USER: 'true', ...definedOnly(own), MCP_CONFIG: file };
  return { command: context.execPath, args, env, cwd: installationRoot };
}

/**
 * Reaches the aggregator: over HTTP with `--url`, else as a child process over stdio that ends with `close()`.
 * @throws ContextloomError when the composition cannot be read or the aggregator is not built
 */
export async function openAggregator(
  context: CliContext,
  globals: GlobalOptions,
  profile: Profile = 'app',
): Promise<Aggregator> {
  const upstreams = createUpstreams({
    servers: { [AGGREGATOR]: await toServerEntry(context, globals, profile) },
    clientName: 'contextloom',
    clientVersion: version,
    log: globals.verbose ? createLog({ name: 'contextloom', level: 'debug', stream: context.stderr }) : silentLog,
    startTimeoutMs: DEFAULT_TIMEOUT_MS,
    stderr: globals.verbose ? 'inherit' : 'ignore',
  });
  return {
    call: async <Name extends keyof AggregatorContract>(
      tool: Name,
      args: InputOf<AggregatorContract, Name>,
      options: AggregatorCallOptions = {},
    ) => {
      const answer = await callTool(upstreams, { tool, args, signal: context.signal, ...options });
      if (answer.kind !== 'ok') throw toError(answer, context);
      const parsed = contract[tool].output.safeParse(answer.value.structured);
      if (parsed.success) return parsed.data as z.output<AggregatorContract[Name]['output']>;
      throw new ContextloomError(
        'unavailable',
        `${AGGREGATOR} answered ${tool} with something that is not its answer`,
        {
          cause: parsed.error,
        },
      );
    },
    close: () => upstreams.close(),
  };
}

interface ToolRequest extends AggregatorCallOptions {
  readonly tool: string;
  readonly args: object;
  readonly signal: AbortSignal;
}

function callTool(upstreams: Upstreams, request: ToolRequest): Promise<UpstreamResult<ToolAnswer>> {
  const { tool, args, signal, onProgress, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
  return upstreams.call(AGGREGATOR, tool, JSON.parse(JSON.stringify(args)), { timeoutMs, signal, onProgress });
}

/** Which key was refused, in terms of what the user can change. */
function toKeyProblem(env: CliContext['env']): string {
  if (readSettings(addressed, env).values.key !== undefined) {
    return `${AGGREGATOR} does not take the key in CONTEXTLOOM_KEY: it is unknown, revoked, expired or for other servers`;
  }
  const own = 'on the machine of the aggregator, CONTEXTLOOM_KEYS_FILE does instead';
  return `${AGGREGATOR} wants a key: set CONTEXTLOOM_KEY to one that "contextloom keys add" prints; ${own}`;
}

function toError(upstream: UpstreamFailure, { signal, env }: CliContext): ContextloomError {
  const { kind, reason, failure, answer = '' } = upstream;
  if (signal.aborted) return new ContextloomError('unavailable', 'interrupted');
  const field = failure?.field === undefined ? {} : { field: failure.field };
  if (kind === 'tool_error') return new ContextloomError(failure?.code ?? 'invalid', toPlainLine(answer), field);
  if (failure !== undefined) return new ContextloomError(failure.code, toPlainLine(failure.message), field);
  if (upstream.isUnauthorized === true) {
    return new ContextloomError('unauthorized', toKeyProblem(env), { field: 'CONTEXTLOOM_KEY' });
  }
  const code = kind === 'timeout' ? 'timeout' : 'unavailable';
  return new ContextloomError(code, `${AGGREGATOR} ${reason}; --verbose shows its log`);
}

/** Opens the aggregator, does the work, and closes it whatever comes of the work. */
export async function withAggregator<T>(
  context: CliContext,
  globals: GlobalOptions,
  work: (aggregator: Aggregator) => Promise<T>,
  profile?: Profile,
): Promise<T> {
  const aggregator = await openAggregator(context, globals, profile);
  try {
    return await work(aggregator);
  } finally {
    await aggregator.close();
  }
}

/**
 * Asks the aggregator which servers of its composition answer. It gives each a few seconds, and the first question starts them all:
 * on a slow machine that takes longer, so it is called once more when any is missing.
 */
export async function askServiceStatus(aggregator: Aggregator): Promise<ServiceStatus> {
  const ask = () => aggregator.call('get_service_status', {});
  const answer = await ask();
  return answer.status === 'running' ? answer : ask();
}
