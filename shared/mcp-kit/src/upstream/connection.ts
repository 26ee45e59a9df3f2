import {
  Client,
  type ClientCapabilities,
  type ConnectOptions,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  SdkHttpError,
  type Tool,
} from '@modelcontextprotocol/client';
import type { Log } from '../process/log.ts';
import { findMissingScript, MissingScriptError } from './entry-script.ts';
import { createTransport, type TransportOptions } from './transport.ts';
import { toWire, type Wire } from './wire.ts';

/** What an upstream needs to be reached. */
export interface ConnectionOptions extends TransportOptions {
  readonly name: string;
  readonly clientName: string;
  readonly clientVersion: string;
  /** What the server may ask of this side, such as sampling; nothing without it. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** The era that is tried first, of a server that may speak both. */
  readonly prefers?: 'legacy' | 'modern' | undefined;
  readonly log: Log;
  /** How long a server may take to start and shake hands, in milliseconds; a caller's deadline may be shorter. */
  readonly startTimeoutMs: number;
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

/** Keeps one connection per server: opened at first need, kept, and opened again at the next need after it died. */
export interface KeptConnection {
  readonly get: () => Promise<Connection>;
  /** Gives up a connection that turned out to be dead: over HTTP nothing else tells. */
  readonly drop: (connection: Connection) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Makes the keeper of one server's connection; nothing is started yet. */
export function createKeptConnection(options: ConnectionOptions): KeptConnection {
  const { name, log } = options;
  let current: Promise<Connection> | undefined;
  let opened: Connection | undefined;
  const closing = new AbortController();
  // Which era a server speaks is learnt once: over stdio, asking costs a process.
  let prior: ConnectOptions['prior'];

  function start(): Promise<Connection> {
    const onClose = (): void => {
      if (current === opening) current = undefined;
      if (!closing.signal.aborted) log.warn({ server: name }, 'connection lost; the next call starts it again');
    };
    const opening = openConnection(options, { prior, signal: closing.signal, onClose });
    opening.then(
      (connection) => {
        opened = connection;
        const discover = connection.client.getDiscoverResult();
        prior = discover === undefined ? undefined : { kind: 'modern', discover };
      },
      (cause: unknown) => {
        if (current === opening) current = undefined;
        prior = undefined;
        log.warn({ server: name, cause }, 'server could not be reached');
      },
    );
    return opening;
  }

  return {
    get: () => {
      if (closing.signal.aborted) return Promise.reject(new Error('the connection was closed'));
      current ??= start();
      return current;
    },
    drop: async (connection) => {
      if (opened !== connection) return;
      opened = undefined;
      current = undefined;
      await connection.close();
    },
    close: async () => {
      closing.abort();
      const opening = current;
      current = undefined;
      await opening?.then(
        (connection) => connection.close(),
        () => undefined, // it never opened, and start() logged why
      );
    },
  };
}

async function openConnection(options: ConnectionOptions, attempt: Omit<ConnectAttempt, 'mode'>): Promise<Connection> {
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

interface ConnectAttempt {
  readonly mode: 'legacy' | 'auto';
  readonly prior: ConnectOptions['prior'];
  /** Aborted when no caller waits for the connection any more. */
  readonly signal: AbortSignal;
  readonly onClose: () => void;
}

async function connect(options: ConnectionOptions, attempt: ConnectAttempt): Promise<Connection> {
  const { name, clientName, clientVersion, capabilities = {}, log, startTimeoutMs } = options;
  const { mode, prior, signal, onClose } = attempt;
  const client = new Client(
    { name: clientName, version: clientVersion },
    { capabilities, versionNegotiation: { mode } },
  );
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

/** Keeps the first answer; a question that failed is asked again. */
function askOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    if (answer !== undefined) return answer;
    const asked = ask();
    answer = asked;
    asked.catch(() => {
      answer = undefined;
    });
    return asked;
  };
}

/** How long a server may take to end by itself once its standard input is closed, in milliseconds. */
const GRACE_MS = 1_500;
/** The same for one that never finished its handshake: it has nothing to bring to an end. */
const UNOPENED_GRACE_MS = 250;
