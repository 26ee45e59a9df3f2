import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Principal } from '@contextloom/access';
import { createUpstreams } from '@contextloom/mcp-client';
import type { Log } from '@contextloom/runtime';
import type { McpServerFactory } from '@contextloom/server-kit';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { createAggregatorServer } from '../../src/build-server.ts';
import { loadAggregatorConfig } from '../../src/config.ts';

/** A fixture server and how it is to behave. */
export interface Scripted {
  readonly fixture: 'persona-bare' | 'persona-v1' | 'persona-prompt' | 'knowledge-base' | 'memory-processor' | 'source';
  readonly script: Readonly<Record<string, unknown>>;
}

/** What a composition is written from; an entry that is no fixture stands in the file as it is. */
export interface CompositionOptions {
  readonly servers: Readonly<Record<string, Scripted | { readonly command: string } | { readonly url: string }>>;
  readonly aggregator?: Readonly<Record<string, unknown>>;
  readonly contextSources?: readonly unknown[];
}

/** One call as a fixture wrote it down. */
export interface RecordedCall {
  readonly pid: number;
  readonly name?: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** For whom it said that it was made. */
  readonly principal?: unknown;
}

/** A composition file in a folder of its own. */
export interface Composition {
  readonly folder: string;
  readonly file: string;
  readonly calls: (server: string) => Promise<readonly RecordedCall[]>;
  readonly remove: () => Promise<void>;
}

/** The aggregator in this process, its upstreams being real child processes. */
export interface RunningAggregator extends Composition {
  readonly client: TestClient;
  /** A client of the same server that calls as somebody else; closed with the rest. */
  readonly connectAs: (principal: Principal) => Promise<TestClient>;
  /** Starts a server before the deadlines count. */
  readonly warm: (server: string) => Promise<void>;
  /** Waits until the aggregator has logged `message` about `server`. */
  readonly logged: (server: string, message: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

/** The folder that a barrier between two fixtures needs, and the composition's other files. */
export async function writeComposition({ servers, ...own }: CompositionOptions): Promise<Composition> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-aggregator-'));
  const toScriptFile = (server: string): string => join(folder, `${server}.json`);
  const entries = await Promise.all(
    Object.entries(servers).map(async ([name, server]) => {
      if (!('fixture' in server)) return [name, server] as const;
      await writeFile(toScriptFile(name), JSON.stringify({ folder, ...server.script }));
      const args = [join(fixtures, `${server.fixture}.mjs`), toScriptFile(name)];
      return [name, { command: process.execPath, args }] as const;
    }),
  );
  const file = join(folder, 'mcp_config.json');
  await writeFile(file, JSON.stringify({ mcpServers: Object.fromEntries(entries), ...own }));
  return {
    folder,
    file,
    calls: async (server) => {
      const recorded = `${toScriptFile(server)}.calls`;
      if (!existsSync(recorded)) return [];
      const lines = (await readFile(recorded, 'utf8')).trim().split('\n');
      return lines.map((line) => JSON.parse(line) as RecordedCall);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

interface LogLine {
  readonly server?: string;
  readonly message: string;
}

function createMemoryLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write = (fields: object, message: string): void => {
    lines.push({ ...fields, message });
  };
  return { log: { debug: write, info: write, warn: write, error: write }, lines };
}

/** Starts the aggregator over scripted servers, as its entry file would, and a real client. */
export async function startAggregator(
  options: CompositionOptions,
  connect: (factory: McpServerFactory) => Promise<TestClient> = connectInMemory,
): Promise<RunningAggregator> {
  const composition = await writeComposition(options);
  const { log, lines } = createMemoryLog();
  const ownFile = fileURLToPath(import.meta.url);
  const config = await loadAggregatorConfig({ env: process.env, file: composition.file, ownFile });
  const { servers, ...settings } = config;
  const upstreams = createUpstreams({ servers, log, clientName: 'test', clientVersion: '0', stderr: 'ignore' });
  const factory = createAggregatorServer({ upstreams, toSettings: () => settings, log, version: '0' });
  const client = await connect(factory);
  const others: TestClient[] = [];
  return {
    ...composition,
    client,
    connectAs: async (principal) => {
      const other = await connectInMemory(factory, principal);
      others.push(other);
      return other;
    },
    warm: async (server) => {
      await upstreams.listTools(server, { timeoutMs: 200_000 });
    },
    logged: async (server, message) => {
      while (!lines.some((line) => line.server === server && line.message.includes(message))) await delay(5);
    },
    close: async () => {
      for (const one of [client, ...others]) await one.close();
      await upstreams.close();
      await composition.remove();
    },
  };
}
