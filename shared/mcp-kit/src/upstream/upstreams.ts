import type { JsonObject } from '@contextloom/contracts';
import {
  type ClientCapabilities,
  type Prompt,
  ProtocolError,
  SdkHttpError,
  type Tool,
} from '@modelcontextprotocol/client';
import type { Principal } from '../access/principal.ts';
import type { Log } from '../process/log.ts';
import type { ServerEntry } from './config.ts';
import { type Connection, createKeptConnection, type KeptConnection } from './connection.ts';
import { withDeadline } from './deadline.ts';
import { findServiceName } from './entry-script.ts';
import { parseToldFailure, toFailure, type UpstreamFailure } from './failure.ts';
import { toPrincipalMeta } from './principal-meta.ts';
import type { Wire } from './wire.ts';

export type { UpstreamFailure } from './failure.ts';
export type { Wire } from './wire.ts';

/** What a call to another server came to. */
export type UpstreamResult<T> = { readonly kind: 'ok'; readonly value: T } | UpstreamFailure;

/** The answer of a tool: its text blocks joined, and its structured content. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: JsonObject | undefined;
}

/** How far a server says it is. */
export interface UpstreamProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** How long a call may take, start-up of the server included, and who may stop it. */
export interface UpstreamCallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Asks the server to tell its progress. */
  readonly onProgress?: ((progress: UpstreamProgress) => void) | undefined;
  /** The principal that the call is for. The server receives it, so set it for servers of the house only. */
  readonly principal?: Principal | undefined;
}

/** The other servers of a composition, by name. No method throws for what a server does. */
export interface Upstreams {
  readonly names: readonly string[];
  readonly has: (server: string) => boolean;
  /** The service of this product that a server is, by the name of its folder; undefined for any other and over HTTP. */
  readonly serviceOf: (server: string) => string | undefined;
  readonly call: (
    server: string,
    tool: string,
    args: JsonObject,
    options: UpstreamCallOptions,
  ) => Promise<UpstreamResult<ToolAnswer>>;
  /** Pings a server, whatever is known about it; answers how many tools it has. */
  readonly ping: (server: string, options: UpstreamCallOptions) => Promise<UpstreamResult<{ readonly tools: number }>>;
  readonly listTools: (server: string, options: UpstreamCallOptions) => Promise<UpstreamResult<readonly Tool[]>>;
  readonly listPrompts: (server: string, options: UpstreamCallOptions) => Promise<UpstreamResult<readonly Prompt[]>>;
  readonly getPrompt: (
    server: string,
    prompt: string,
    args: Readonly<Record<string, string>>,
    options: UpstreamCallOptions,
  ) => Promise<UpstreamResult<string>>;
  /** Reads the texts of a resource, one under the other. */
  readonly readResource: (server: string, uri: string, options: UpstreamCallOptions) => Promise<UpstreamResult<string>>;
  /** Does work with the protocol's own messages. Over HTTP it is begun again where a server has forgotten the session. */
  readonly use: <T>(
    server: string,
    options: UpstreamCallOptions,
    work: (wire: Wire, signal: AbortSignal) => Promise<T>,
  ) => Promise<UpstreamResult<T>>;
  readonly close: () => Promise<void>;
}

/** What a set of upstreams is made from. */
export interface UpstreamsOptions {
  readonly servers: Readonly<Record<string, ServerEntry>>;
  readonly clientName: string;
  readonly clientVersion: string;
  /** What the servers may ask of this side, such as sampling; nothing without it. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** The era that is tried first, of servers that may speak both: `legacy` unless it is said. */
  readonly prefers?: 'legacy' | 'modern' | undefined;
  readonly log: Log;
  readonly startTimeoutMs?: number;
  readonly stderr?: 'inherit' | 'ignore';
}

/** Makes the client side of a composition; each server is started or reached when it is first needed. */
export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { servers, startTimeoutMs = 30_000, stderr = 'inherit', ...rest } = options;
  const connections = new Map(
    Object.entries(servers).map(([name, entry]) => [
      name,
      createKeptConnection({ ...rest, name, entry, startTimeoutMs, stderr }),
    ]),
  );

  async function withConnection<T>(
    server: string,
    { timeoutMs, signal }: UpstreamCallOptions,
    work: (connection: Connection, signal: AbortSignal) => Promise<UpstreamResult<T>>,
    isRepeatable = false,
  ): Promise<UpstreamResult<T>> {
    const kept = connections.get(server);
    if (kept === undefined) return { kind: 'unavailable', reason: 'is not configured' };
    let isOpen = false;
    const run = (stop: AbortSignal): Promise<UpstreamResult<T>> => {
      const once = (connection: Connection): Promise<UpstreamResult<T>> => {
        isOpen = true;
        return work(connection, stop);
      };
      return attempt(kept, once, isRepeatable);
    };
    try {
      const raced = await withDeadline(run, { timeoutMs, signal });
      if (raced.kind === 'done') return raced.value;
      const what = isOpen ? 'answer' : 'finish the MCP handshake';
      return { kind: 'timeout', reason: `did not ${what} within ${timeoutMs} ms` };
    } catch (cause) {
      const failure = toFailure(cause, { isOpen });
      options.log.warn({ server, cause }, `${server} ${failure.reason}`);
      return failure;
    }
  }

  return {
    names: [...connections.keys()],
    has: (server) => connections.has(server),
    serviceOf: (server) => {
      const entry = servers[server];
      return entry === undefined ? undefined : findServiceName(entry);
    },
    call: (server, tool, args, callOptions) =>
      withConnection(server, callOptions, async ({ client }, signal) => {
        const result = await client.request(
          { method: 'tools/call', params: { name: tool, arguments: { ...args }, ...toPrincipalMeta(callOptions) } },
          requestOptions(callOptions, signal),
        );
        return toToolResult(result);
      }),
    ping: (server, callOptions) =>
      withConnection(
        server,
        callOptions,
        async ({ client, tools }, signal) => {
          // The stateless revision has no ping.
          const method = client.getProtocolEra() === 'modern' ? 'tools/list' : 'ping';
          await client.request({ method }, requestOptions(callOptions, signal)).catch((error: unknown) => {
            if (!(error instanceof ProtocolError)) throw error; // A refusal is a sign of life.
          });
          return { kind: 'ok', value: { tools: (await tools()).length } };
        },
        true,
      ),
    listTools: (server, callOptions) =>
      withConnection(server, callOptions, async ({ tools }) => ({ kind: 'ok', value: await tools() })),
    listPrompts: (server, callOptions) =>
      withConnection(server, callOptions, async ({ prompts }) => ({ kind: 'ok', value: await prompts() })),
    getPrompt: (server, prompt, args, callOptions) =>
      withConnection(server, callOptions, async ({ client }, signal) => {
        const params = { name: prompt, arguments: { ...args }, ...toPrincipalMeta(callOptions) };
        const { messages } = await client.getPrompt(params, requestOptions(callOptions, signal));
        const texts = messages.flatMap(({ content }) => (content.type === 'text' ? [content.text] : []));
        return { kind: 'ok', value: texts.join('\n\n') };
      }),
    readResource: (server, uri, callOptions) =>
      withConnection(server, callOptions, async ({ client }, signal) => {
        const params = { uri, ...toPrincipalMeta(callOptions) };
        const { contents } = await client.readResource(params, requestOptions(callOptions, signal));
        return {
          kind: 'ok',
          value: contents.flatMap((content) => ('text' in content ? [content.text] : [])).join('\n'),
        };
      }),
    use: (server, callOptions, work) =>
      withConnection(server, callOptions, async ({ wire }, signal) => ({
        kind: 'ok',
        value: await work(wire, signal),
      })),
    close: async () => {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

/**
 * Runs work over a kept connection. Over HTTP a restarted server answers 404 for the session it no longer knows, without
 * having done anything: that work is begun again on a new connection, and so is any work that may be done twice.
 */
async function attempt<T>(
  kept: KeptConnection,
  work: (connection: Connection) => Promise<T>,
  isRepeatable: boolean,
): Promise<T> {
  const connection = await kept.get();
  try {
    return await work(connection);
  } catch (error) {
    if (!connection.isHttp || error instanceof ProtocolError) throw error;
    const brokenOff = connection.brokenOff();
    if (brokenOff !== undefined) throw brokenOff; // Not again: the answer would be the same.
    await kept.drop(connection);
    const isForgotten = error instanceof SdkHttpError && error.status === 404;
    if (!isForgotten && !isRepeatable) throw error;
    return work(await kept.get());
  }
}

function requestOptions({ timeoutMs, onProgress }: UpstreamCallOptions, signal: AbortSignal) {
  return { signal, timeout: timeoutMs, ...(onProgress !== undefined && { onprogress: onProgress }) };
}

interface RawToolResult {
  readonly isError?: boolean | undefined;
  readonly content?: readonly { readonly type: string; readonly text?: unknown }[] | undefined;
  readonly structuredContent?: unknown;
  readonly _meta?: unknown;
}

function toToolResult(raw: unknown): UpstreamResult<ToolAnswer> {
  const { isError, content, structuredContent, _meta } = raw as RawToolResult;
  if (!Array.isArray(content)) return { kind: 'invalid', reason: 'answered something that is not a tool result' };
  const text = content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('\n');
  if (isError === true)
    return { kind: 'tool_error', reason: 'answered with an error', answer: text, failure: parseToldFailure(_meta) };
  const isObject =
    typeof structuredContent === 'object' && structuredContent !== null && !Array.isArray(structuredContent);
  return { kind: 'ok', value: { text, structured: isObject ? (structuredContent as JsonObject) : undefined } };
}
