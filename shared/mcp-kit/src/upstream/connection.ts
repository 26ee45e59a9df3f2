import {
  Client,
  type ConnectOptions,
  ProtocolError,
  ProtocolErrorCode,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Log } from '../log.ts';
import type { ServerEntry } from './config.ts';

/** What an upstream needs to be reached. */
export interface ConnectionOptions {
  readonly name: string;
  readonly entry: ServerEntry;
  readonly clientName: string;
  readonly clientVersion: string;
  readonly log: Log;
  /** How long a server may take to start and shake hands, in milliseconds; a caller's deadline may be shorter. */
  readonly startTimeoutMs: number;
  /** Where a child's standard error goes. */
  readonly stderr: 'inherit' | 'ignore';
}

/** One open connection to a server. */
export interface Connection {
  readonly client: Client;
  /** The tools that the server offers, asked for once. */
  readonly tools: () => Promise<readonly Tool[]>;
  readonly close: () => Promise<void>;
}

/** Keeps one connection per server: opened at first need, kept, and opened again at the next need after it died. */
export interface KeptConnection {
  readonly get: () => Promise<Connection>;
  readonly close: () => Promise<void>;
}

/** Makes the keeper of one server's connection; nothing is started yet. */
export function createKeptConnection(options: ConnectionOptions): KeptConnection {
  const { name, log } = options;
  let current: Promise<Connection> | undefined;
  let closed = false;
  // Which era a server speaks is learnt once: over stdio, asking costs a process.
  let prior: ConnectOptions['prior'];

  function start(): Promise<Connection> {
    const opening = openConnection(options, prior, () => {
      if (current === opening) current = undefined;
      if (!closed) log.warn({ server: name }, 'connection lost; the next call starts it again');
    });
    opening.then(
      (connection) => {
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
      if (closed) return Promise.reject(new Error('the connection was closed'));
      current ??= start();
      return current;
    },
    close: async () => {
      closed = true;
      const opening = current;
      current = undefined;
      await opening?.then(
        (connection) => connection.close(),
        () => undefined, // it never opened, and start() logged why
      );
    },
  };
}

async function openConnection(
  options: ConnectionOptions,
  prior: ConnectOptions['prior'],
  onClose: () => void,
): Promise<Connection> {
  try {
    return await connect(options, { mode: 'legacy', prior, onClose });
  } catch (error) {
    // Every server but a purely 2026-07-28 one answers the 2025 handshake, and trying it first saves the probe.
    if (!(error instanceof ProtocolError) || error.code !== ProtocolErrorCode.UnsupportedProtocolVersion) throw error;
    return connect(options, { mode: 'auto', prior: undefined, onClose });
  }
}

interface ConnectAttempt {
  readonly mode: 'legacy' | 'auto';
  readonly prior: ConnectOptions['prior'];
  readonly onClose: () => void;
}

async function connect(options: ConnectionOptions, { mode, prior, onClose }: ConnectAttempt): Promise<Connection> {
  const { name, clientName, clientVersion, log, startTimeoutMs } = options;
  const client = new Client({ name: clientName, version: clientVersion }, { versionNegotiation: { mode } });
  client.onerror = (cause) => log.debug({ server: name, cause }, 'connection trouble');
  const transport = createTransport(options);
  try {
    await client.connect(transport, { timeout: startTimeoutMs, ...(prior !== undefined && { prior }) });
  } catch (error) {
    await client.close();
    throw error;
  }
  client.onclose = onClose;
  let tools: Promise<readonly Tool[]> | undefined;
  return {
    client,
    tools: () => {
      tools ??= client.listTools().then(({ tools: listed }) => listed);
      tools.catch(() => {
        tools = undefined;
      });
      return tools;
    },
    close: () => client.close(),
  };
}

function createTransport({ entry, stderr }: ConnectionOptions): Transport {
  if ('url' in entry) {
    return new StreamableHTTPClientTransport(new URL(entry.url), { requestInit: { headers: { ...entry.headers } } });
  }
  const env = { ...getDefaultEnvironment(), ...entry.env };
  return new StdioClientTransport({ command: entry.command, args: [...entry.args], env, cwd: entry.cwd, stderr });
}
