import type { JsonObject } from '@contextloom/contracts';
import {
  type Prompt,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Tool,
} from '@modelcontextprotocol/client';
import type { Log } from '../log.ts';
import type { ServerEntry } from './config.ts';
import { type Connection, createKeptConnection, type KeptConnection } from './connection.ts';
import { withDeadline } from './deadline.ts';

/** What a call to another server came to. `message` is our own sentence except for `tool_error`, where it is the peer's. */
export type UpstreamResult<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'tool_error' | 'timeout' | 'unavailable' | 'invalid'; readonly message: string };

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
}

/** The other servers of a composition, by name. No method throws for what a server does. */
export interface Upstreams {
  readonly names: readonly string[];
  readonly has: (server: string) => boolean;
  readonly call: (
    server: string,
    tool: string,
    args: JsonObject,
    options: UpstreamCallOptions,
  ) => Promise<UpstreamResult<ToolAnswer>>;
  readonly listTools: (server: string, options: UpstreamCallOptions) => Promise<UpstreamResult<readonly Tool[]>>;
  readonly listPrompts: (server: string, options: UpstreamCallOptions) => Promise<UpstreamResult<readonly Prompt[]>>;
  readonly getPrompt: (
    server: string,
    prompt: string,
    args: Readonly<Record<string, string>>,
    options: UpstreamCallOptions,
  ) => Promise<UpstreamResult<string>>;
  readonly close: () => Promise<void>;
}

/** What a set of upstreams is made from. */
export interface UpstreamsOptions {
  readonly servers: Readonly<Record<string, ServerEntry>>;
  readonly clientName: string;
  readonly clientVersion: string;
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
  ): Promise<UpstreamResult<T>> {
    const kept = connections.get(server);
    if (kept === undefined) return { kind: 'unavailable', message: `${server} is not configured` };
    try {
      const raced = await withDeadline((stop) => attempt(kept, (connection) => work(connection, stop)), {
        timeoutMs,
        signal,
      });
      if (raced.kind === 'done') return raced.value;
      return { kind: 'timeout', message: `${server} did not answer within ${timeoutMs} ms` };
    } catch (cause) {
      options.log.warn({ server, cause }, 'call failed');
      return toFailure(server, cause);
    }
  }

  return {
    names: [...connections.keys()],
    has: (server) => connections.has(server),
    call: (server, tool, args, callOptions) =>
      withConnection(server, callOptions, async ({ client }, signal) => {
        const result = await client.request(
          { method: 'tools/call', params: { name: tool, arguments: { ...args } } },
          requestOptions(callOptions, signal),
        );
        return toToolResult(server, result);
      }),
    listTools: (server, callOptions) =>
      withConnection(server, callOptions, async ({ tools }) => ({ kind: 'ok', value: await tools() })),
    listPrompts: (server, callOptions) =>
      withConnection(server, callOptions, async ({ prompts }) => ({ kind: 'ok', value: await prompts() })),
    getPrompt: (server, prompt, args, callOptions) =>
      withConnection(server, callOptions, async ({ client }, signal) => {
        const params = { name: prompt, arguments: { ...args } };
        const { messages } = await client.getPrompt(params, requestOptions(callOptions, signal));
        const texts = messages.flatMap(({ content }) => (content.type === 'text' ? [content.text] : []));
        return { kind: 'ok', value: texts.join('\n\n') };
      }),
    close: async () => {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

/**
 * Runs work over a kept connection. Over HTTP a restarted server answers 404 for the session it no longer knows, without
 * having done anything: that work is begun once more on a new connection.
 */
async function attempt<T>(kept: KeptConnection, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await kept.get();
  try {
    return await work(connection);
  } catch (error) {
    if (!connection.isHttp || error instanceof ProtocolError) throw error;
    await kept.drop(connection);
    if (!(error instanceof SdkHttpError) || error.status !== 404) throw error;
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
}

function toToolResult(server: string, raw: unknown): UpstreamResult<ToolAnswer> {
  const { isError, content, structuredContent } = raw as RawToolResult;
  if (!Array.isArray(content))
    return { kind: 'invalid', message: `${server} answered something that is not a tool result` };
  const text = content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('\n');
  if (isError === true) return { kind: 'tool_error', message: text };
  const isObject =
    typeof structuredContent === 'object' && structuredContent !== null && !Array.isArray(structuredContent);
  return { kind: 'ok', value: { text, structured: isObject ? (structuredContent as JsonObject) : undefined } };
}

/** Foreign words stay in the log: what a caller reads is a sentence of ours. */
function toFailure(server: string, cause: unknown): UpstreamResult<never> {
  if (cause instanceof ProtocolError) return { kind: 'invalid', message: `${server} refused the request` };
  if (cause instanceof SdkError && cause.code === SdkErrorCode.InvalidResult) {
    return { kind: 'invalid', message: `${server} answered something that is not a result` };
  }
  if (cause instanceof SdkError) return { kind: 'unavailable', message: `${server} cannot be reached or broke off` };
  return { kind: 'unavailable', message: `${server} cannot be started or reached` };
}
