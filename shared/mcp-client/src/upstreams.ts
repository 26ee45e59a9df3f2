import type { Principal } from '@contextloom/access';
import type { JsonObject } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { traceClient } from '@contextloom/runtime';
import {
  type ClientCapabilities,
  type Prompt,
  ProtocolError,
  SdkHttpError,
  type Tool,
} from '@modelcontextprotocol/client';
import type { Availability } from './availability.ts';
import type { CallTimes } from './call-times.ts';
import { findServiceName } from './composition/entry-script.ts';
import { type Connection, type PoolOptions, ping } from './connection.ts';
import { withDeadline } from './deadline.ts';
import { toFailure } from './failure.ts';
import { createLimits, type Limits } from './limits.ts';
import { toPrincipalMeta } from './principal-meta.ts';
import { createReconnectingConnection, type ReconnectingConnection } from './reconnecting-connection.ts';
import { createSamplers, type Sample } from './sampling.ts';
import { type ToolAnswer, toToolResult, type UpstreamResult } from './tool-result.ts';
import type { ChildWatch } from './transport/child-watch.ts';
import type { Embed } from './transport/embedded-transport.ts';
import type { Wire } from './transport/wire.ts';
import { createUpstreamSet, type ServerEntries, type Upstream } from './upstream-set.ts';

export type { ToolAnswer, UpstreamResult } from './tool-result.ts';
export type { Wire } from './transport/wire.ts';
export type { ServerEntries } from './upstream-set.ts';

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
  /** The principal that the call is for. The server receives it, so set it for first-party servers only. */
  readonly principal?: Principal | undefined;
  /** Asks the caller's own model, where a server of this installation asks for that in the middle of the call. */
  readonly sample?: Sample | undefined;
}

/** The other servers of a composition, by name. No method throws for what a server does. */
export interface Upstreams {
  readonly names: () => readonly string[];
  readonly has: (server: string) => boolean;
  /** Whether there is a connection to a server now, as far as is known. */
  readonly isOpen: (server: string) => boolean;
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
  /** Ends the connection to a server once what is under way on it has ended: a server of ours is another process then. */
  readonly restart: (server: string, options: Pick<UpstreamCallOptions, 'timeoutMs'>) => Promise<void>;
  /** Takes other servers: one whose entry is equal keeps its connection, any other one is ended when its calls are answered. */
  readonly update: (servers: ServerEntries) => void;
  readonly close: () => Promise<void>;
}

/** What a set of upstreams is made from. */
export interface UpstreamsOptions {
  readonly servers: ServerEntries;
  readonly clientName: string;
  readonly clientVersion: string;
  /** What the servers may ask of this side, such as sampling; nothing without it. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** The era that is tried first, of servers that may speak both: `legacy` unless it is said. */
  readonly prefers?: 'legacy' | 'modern' | undefined;
  readonly log: Log;
  /** The queues of {@link createLimits}, where several sets of upstreams reach the same servers. */
  readonly limits?: Limits | undefined;
  /** Bounds the connections of several sets of upstreams; unbounded without it. */
  readonly pool?: PoolOptions | undefined;
  /** Where it is noted which servers can be reached. */
  readonly reach?: Availability | undefined;
  /** Where it is noted how long servers take. */
  readonly times?: CallTimes | undefined;
  readonly startTimeoutMs?: number;
  readonly stderr?: 'inherit' | 'ignore';
  /** Ends children that outlive this process. */
  readonly childWatch?: ChildWatch | undefined;
  /** Runs servers of this installation in this process; without it each gets a process of its own. */
  readonly embed?: Embed | undefined;
}

/** How far a call came. */
type Stage = 'waiting' | 'starting' | 'open';

const late: Readonly<Record<Stage, string>> = {
  waiting: 'had no turn for one more call',
  starting: 'did not finish the MCP handshake',
  open: 'did not answer',
};

/** Makes the client side of a composition; each server is started or reached when it is first needed. */
export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { servers, startTimeoutMs = 30_000, stderr = 'inherit', limits = createLimits(), ...rest } = options;
  const samplers = createSamplers();
  const upstreams = createUpstreamSet(servers, (name, entry) => {
    // Only servers of this installation say in which call they ask.
    const asking = findServiceName(entry) === undefined ? {} : { samplers };
    return createReconnectingConnection({ ...rest, ...asking, name, entry, startTimeoutMs, stderr });
  });

  async function withConnection<T>(
    server: string,
    options: UpstreamCallOptions,
    work: (connection: Connection, signal: AbortSignal) => Promise<UpstreamResult<T>>,
    kind: 'call' | 'list' | 'ping' = 'call',
  ): Promise<UpstreamResult<T>> {
    const upstream = upstreams.get(server);
    if (upstream === undefined) return { kind: 'unavailable', reason: 'is not configured' };
    const timeoutMs = Math.min(options.timeoutMs, upstream.entry.timeoutMs ?? Number.POSITIVE_INFINITY);
    const isPing = kind === 'ping';
    const inTurn = isPing ? undefined : limits.of(server, upstream.entry);
    let stage = 'waiting' as Stage;
    let openedAt: number | undefined;
    const note = (isOk: boolean): void => {
      if (kind !== 'call' || options.signal?.aborted === true) return;
      const now = performance.now();
      rest.times?.note(server, now - (openedAt ?? now), isOk);
    };
    const run = async (stop: AbortSignal): Promise<UpstreamResult<T>> => {
      stop.throwIfAborted(); // Its turn came after its deadline.
      stage = 'starting';
      const { kept, guard } = upstreams.get(server) ?? upstream; // It may have got another entry while this call waited.
      const attempted = (onOpen: (connection: object) => void) => {
        const once = (connection: Connection): Promise<UpstreamResult<T>> => {
          stage = 'open';
          openedAt = performance.now();
          onOpen(connection);
          return work(connection, stop);
        };
        return attempt(kept, once, isPing);
      };
      // A ping asks whatever is known.
      return isPing ? attempted(() => undefined) : guard.run(attempted, stop);
    };
    try {
      const raced = await withDeadline((stop) => (inTurn === undefined ? run(stop) : inTurn(run, stop)), {
        ...options,
        timeoutMs,
      });
      note(raced.kind === 'done' && raced.value.kind === 'ok');
      if (raced.kind === 'done') return raced.value;
      if (options.signal?.aborted !== true) void probe(upstream);
      return { kind: 'timeout', reason: `${late[stage]} within ${timeoutMs} ms` };
    } catch (cause) {
      note(false);
      const failure = toFailure(cause, { isOpen: stage === 'open' });
      rest.log.warn({ server, cause }, `${server} ${failure.reason}`);
      return failure;
    }
  }

  return {
    names: upstreams.names,
    has: (server) => upstreams.get(server) !== undefined,
    isOpen: (server) => upstreams.get(server)?.kept.isOpen() === true,
    serviceOf: (server) => {
      const upstream = upstreams.get(server);
      return upstream === undefined ? undefined : findServiceName(upstream.entry);
    },
    call: (server, tool, args, callOptions) =>
      withConnection(server, callOptions, async ({ client }, signal) => {
        return samplers.during(callOptions.sample, (meta) => {
          const _meta = { ...toPrincipalMeta(callOptions)._meta, ...meta };
          const params = { name: tool, arguments: { ...args }, ...(Object.keys(_meta).length > 0 && { _meta }) };
          return traceClient(
            server,
            { method: 'tools/call' as const, params },
            async (sent) => toToolResult(await client.request(sent, requestOptions(callOptions, signal))),
            (answer) => (answer.kind === 'ok' ? undefined : answer.kind),
          );
        });
      }),
    ping: (server, callOptions) =>
      withConnection(
        server,
        callOptions,
        async ({ client, tools }, signal) => {
          await ping(client, requestOptions(callOptions, signal));
          return { kind: 'ok', value: { tools: (await tools()).length } };
        },
        'ping',
      ),
    listTools: (server, callOptions) =>
      withConnection(server, callOptions, async ({ tools }) => ({ kind: 'ok', value: await tools() }), 'list'),
    listPrompts: (server, callOptions) =>
      withConnection(server, callOptions, async ({ prompts }) => ({ kind: 'ok', value: await prompts() }), 'list'),
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
    restart: async (server, callOptions) => {
      const kept = upstreams.get(server)?.kept;
      if (kept !== undefined) await withDeadline(kept.restart, callOptions);
    },
    update: upstreams.update,
    close: upstreams.close,
  };
}

/**
 * Runs work over a kept connection. Over HTTP a restarted server answers 404 for the session it no longer knows, without
 * having done anything: that work is begun again on a new connection, and so is any work that may be done twice.
 */
async function attempt<T>(
  kept: ReconnectingConnection,
  work: (connection: Connection) => Promise<T>,
  isRepeatable: boolean,
): Promise<T> {
  const connection = await kept.get();
  try {
    return await kept.run(connection, () => work(connection));
  } catch (error) {
    if (!connection.isHttp || error instanceof ProtocolError) throw error;
    const brokenOff = connection.brokenOff();
    if (brokenOff !== undefined) throw brokenOff; // Not again: the answer would be the same.
    const isForgotten = error instanceof SdkHttpError && error.status === 404;
    // Other calls under way on a forgotten session hear so themselves, and begin again too.
    if (isForgotten) kept.retire(connection);
    else await kept.drop(connection);
    if (!isForgotten && !isRepeatable) throw error;
    const next = await kept.get();
    return kept.run(next, () => work(next));
  }
}

/** After a missed deadline: a server that does not answer a ping either is an outage, and is started again for the next call. */
async function probe({ kept, guard }: Upstream): Promise<void> {
  await guard.run(kept.check).catch(() => undefined); // The breaker has counted it.
}

function requestOptions({ timeoutMs, onProgress }: UpstreamCallOptions, signal: AbortSignal) {
  return { signal, timeout: timeoutMs, ...(onProgress !== undefined && { onprogress: onProgress }) };
}
