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
import type { Log } from '../process/log.ts';
import { findMissingScript, MissingScriptError } from './composition/entry-script.ts';
import type { ConnectionPool, Lease } from './connection-pool.ts';
import type { Reach } from './reach.ts';
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
  readonly log: Log;
  /** How long a server may take to start and shake hands, in milliseconds; a caller's deadline may be shorter. */
  readonly startTimeoutMs: number;
  /** Bounds the connections of several sets of upstreams. */
  readonly pool?: PoolOptions | undefined;
  /** Where it is noted whether the server can be reached. */
  readonly reach?: Reach | undefined;
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

/** Keeps one connection per server: opened at first need, kept, and opened again at the next need after it died. */
export interface KeptConnection {
  readonly get: () => Promise<Connection>;
  /** Whether there is a connection now, as far as is known. */
  readonly isOpen: () => boolean;
  /** Does work on a connection, and notes that it is under way. */
  readonly run: <T>(connection: Connection, work: () => Promise<T>) => Promise<T>;
  /** Gives up a connection that turned out to be dead: over HTTP nothing else tells. */
  readonly drop: (connection: Connection) => Promise<void>;
  /** Uses a connection for nothing new, and closes it when what is under way on it has ended. */
  readonly retire: (connection: Connection) => void;
  /** Pings the server behind an open connection. @throws the ping's error where none comes back, and drops the connection */
  readonly check: (onOpen: (connection: Connection) => void) => Promise<void>;
  /** Closes it once what is under way has ended. Never rejects. */
  readonly end: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Makes the keeper of one server's connection; nothing is started yet. */
export function createKeptConnection(options: ConnectionOptions): KeptConnection {
  const { name, log } = options;
  const underWay = new WeakMap<Connection, Set<Promise<unknown>>>();
  const leaving = new Set<Promise<void>>();
  let checking: Promise<void> | undefined;
  let current: Promise<Connection> | undefined;
  let opened: Connection | undefined;
  const closing = new AbortController();
  // Which era a server speaks is learnt once: over stdio, asking costs a process.
  let prior: ConnectOptions['prior'];
  let lease: Lease | undefined;

  function start(): Promise<Connection> {
    lease = options.pool?.connections.lease({
      owner: options.pool.owner,
      isBusy: () => opened === undefined || (underWay.get(opened)?.size ?? 0) > 0,
      close: () => {
        log.info({ server: name }, 'an idle connection is closed to make room');
        if (opened !== undefined) retire(opened);
      },
    });
    const onClose = (): void => {
      if (current !== opening) return;
      forget();
      if (closing.signal.aborted) return;
      options.reach?.note(name, false);
      log.warn({ server: name }, 'connection lost; the next call starts it again');
    };
    const opening = openConnection(options, { prior, signal: closing.signal, onClose });
    opening.then(
      (connection) => {
        opened = connection;
        options.reach?.note(name, true);
        const discover = connection.client.getDiscoverResult();
        prior = discover === undefined ? undefined : { kind: 'modern', discover };
      },
      (cause: unknown) => {
        if (current === opening) forget();
        prior = undefined;
        if (!closing.signal.aborted) options.reach?.note(name, false);
        log.warn({ server: name, cause }, 'server could not be reached');
      },
    );
    return opening;
  }

  function forget(): void {
    opened = undefined;
    current = undefined;
    lease?.release();
    lease = undefined;
  }

  function detach(connection: Connection): boolean {
    if (opened !== connection) return false;
    forget();
    return true;
  }

  function retire(connection: Connection): void {
    if (!detach(connection)) return;
    // A call that has just got the connection is under way in a moment.
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    void leave(turn.then(() => Promise.allSettled(underWay.get(connection) ?? [])).then(() => connection.close()));
  }

  /** Whoever closes everything waits for connections that are on their way out, too: a process is behind some. */
  async function leave(end: Promise<void>): Promise<void> {
    leaving.add(end);
    try {
      await end;
    } finally {
      leaving.delete(end);
    }
  }

  async function close(): Promise<void> {
    closing.abort();
    const opening = current;
    forget();
    await opening?.then(
      (connection) => connection.close(),
      () => undefined, // it never opened, and start() logged why
    );
    await Promise.all(leaving);
  }

  return {
    get: () => {
      if (closing.signal.aborted) return Promise.reject(new Error('the connection was closed'));
      try {
        current ??= start();
      } catch (error) {
        return Promise.reject(error);
      }
      return current;
    },
    isOpen: () => opened !== undefined,
    run: async (connection, work) => {
      const all = underWay.get(connection) ?? new Set();
      underWay.set(connection, all);
      if (connection === opened) lease?.touch();
      const running = work();
      all.add(running);
      try {
        return await running;
      } finally {
        all.delete(running);
      }
    },
    drop: async (connection) => {
      if (!detach(connection)) return;
      options.reach?.note(name, false);
      await leave(connection.close());
    },
    retire,
    check: async (onOpen) => {
      const connection = opened;
      if (connection === undefined) return;
      onOpen(connection);
      checking ??= ping(connection.client, { timeout: PATIENCE_MS }).finally(() => {
        checking = undefined;
      });
      try {
        await checking;
      } catch (cause) {
        if (!detach(connection)) return;
        options.reach?.note(name, false);
        log.warn({ server: name, cause }, 'no answer any more; the next call starts it again');
        await leave(connection.close());
        throw cause;
      }
    },
    end: async () => {
      await current?.then(
        (connection) => Promise.allSettled(underWay.get(connection) ?? []),
        () => undefined, // it never opened, and start() logged why
      );
      await close().catch((cause: unknown) => log.warn({ server: name, cause }, 'closing failed'));
    },
    close,
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
    const asked = ask();
    answer = asked;
    asked.catch(() => {
      answer = undefined;
    });
    return asked;
  };
}

/** How long a server that missed a deadline may take to answer a ping, in milliseconds. */
const PATIENCE_MS = 5_000;
/** How long a server may take to end by itself once its standard input is closed, in milliseconds. */
const GRACE_MS = 1_500;
/** The same for one that never finished its handshake: it has nothing to bring to an end. */
const UNOPENED_GRACE_MS = 250;
