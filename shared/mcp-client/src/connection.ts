import type { Log } from '@contextloom/runtime';
import {
  Client,
  type ClientCapabilities,
  type ConnectOptions,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type RequestOptions,
  SdkHttpError,
  type Tool,
} from '@modelcontextprotocol/client';
import type { Availability } from './availability.ts';
import { findMissingScript, MissingScriptError } from './composition/entry-script.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { Samplers } from './sampling.ts';
import { createTransport, type TransportOptions } from './transport/transport.ts';
import { toWire, type Wire } from './transport/wire.ts';

/** What an upstream needs to be reached. */
export interface ConnectionOptions extends TransportOptions {
  readonly name: string;
  readonly clientName: string;
  readonly clientVersion: string;
  /** What the server may ask of this side, such as sampling; nothing without it. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** The era that is tried first, of a server that may speak both. */
  readonly prefers?: 'legacy' | 'modern' | undefined;
  /** The calls in which the server may ask for a sampling; it may not without it. */
  readonly samplers?: Samplers | undefined;
  readonly log: Log;
  /** How long a server may take to start and shake hands, in milliseconds; a caller's deadline may be shorter. */
  readonly startTimeoutMs: number;
  /** Bounds the connections of several sets of upstreams. */
  readonly pool?: PoolOptions | undefined;
  /** Where it is noted whether the server can be reached. */
  readonly reach?: Availability | undefined;
}

/** The pool that connections take places of, and in whose name. */
export interface PoolOptions {
  readonly connections: ConnectionPool;
  readonly owner: string;
}

/** One open connection to a server. */
export interface Connection {
  readonly client: Client;
  readonly wire: Wire;
  readonly isHttp: boolean;
  /** Why this side broke it off. */
  readonly brokenOff: () => Error | undefined;
  /** The tools that the server offers, asked for once. */
  readonly tools: () => Promise<readonly Tool[]>;
  /** The MCP prompts that the server offers, asked for once. */
  readonly prompts: () => Promise<readonly Prompt[]>;
  readonly close: () => Promise<void>;
}

/** Opens a connection; rejects when the server cannot be reached. */
export async function openConnection(
  options: ConnectionOptions,
  attempt: Omit<ConnectAttempt, 'mode'>,
): Promise<Connection> {
  const missing = findMissingScript(options.entry);
  if (missing !== undefined) throw new MissingScriptError(missing);
  if (options.prefers === 'modern') return connect(options, { ...attempt, mode: 'auto' });
  try {
    return await connect(options, { ...attempt, mode: 'legacy' });
  } catch (error) {
    // Every server but a purely 2026-07-28 one answers the 2025 handshake, and trying it first saves the probe.
    if (!isRefusedHandshake(error)) throw error;
    return connect(options, { ...attempt, mode: 'auto', prior: undefined });
  }
}

function isRefusedHandshake(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 400;
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.UnsupportedProtocolVersion;
}

/** How a connection is opened. */
export interface ConnectAttempt {
  readonly mode: 'legacy' | 'auto';
  readonly prior: ConnectOptions['prior'];
  /** Aborted when no caller waits for the connection any more. */
  readonly signal: AbortSignal;
  readonly onClose: () => void;
}

async function connect(options: ConnectionOptions, attempt: ConnectAttempt): Promise<Connection> {
  const { name, clientName, clientVersion, samplers, log, startTimeoutMs } = options;
  const capabilities = { ...options.capabilities, ...(samplers !== undefined && { sampling: {} }) };
  const { mode, prior, signal, onClose } = attempt;
  const client = new Client(
    { name: clientName, version: clientVersion },
    { capabilities, versionNegotiation: { mode } },
  );
  samplers?.serve(client);
  client.onerror = (cause) => log.debug({ server: name, cause }, 'connection trouble');
  let brokenOff: Error | undefined;
  const { transport, end, leave, forRequest } = createTransport(options, (cause) => {
    log.warn({ server: name, cause }, 'connection given up');
    brokenOff = cause;
    void client.close();
  });
  try {
    await client.connect(transport, { timeout: startTimeoutMs, signal, ...(prior !== undefined && { prior }) });
  } catch (error) {
    await Promise.all([client.close(), end(UNOPENED_GRACE_MS)]);
    throw error;
  }
  client.onclose = onClose;
  // The SDK answers for a server without the capability by itself, but says so on standard output, where JSON-RPC flows.
  const offered = client.getServerCapabilities();
  return {
    client,
    wire: toWire(client, transport, forRequest),
    isHttp: 'url' in options.entry,
    brokenOff: () => brokenOff,
    tools: askOnce(async () => (offered?.tools === undefined ? [] : (await client.listTools()).tools)),
    prompts: askOnce(async () => (offered?.prompts === undefined ? [] : (await client.listPrompts()).prompts)),
    close: async () => {
      await leave?.();
      await Promise.all([client.close(), end(GRACE_MS)]);
    },
  };
}

/** Asks for a sign of life. @throws where there is none */
export async function ping(client: Client, options: RequestOptions): Promise<void> {
  // The stateless revision has no ping.
  const method = client.getProtocolEra() === 'modern' ? 'tools/list' : 'ping';
  try {
    await client.request({ method }, options);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error; // A refusal is a sign of life.
  }
}

/** Keeps the first answer; a question that failed is asked again. */
function askOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    if (answer !== undefined) return answer;
    const pending = ask();
    answer = pending;
    pending.catch(() => {
      answer = undefined;
    });
    return pending;
  };
}

/** How long a server may take to end by itself once its standard input is closed, in milliseconds. */
const GRACE_MS = 1_500;
/** The same for one that never finished its handshake: it has nothing to bring to an end. */
const UNOPENED_GRACE_MS = 250;
