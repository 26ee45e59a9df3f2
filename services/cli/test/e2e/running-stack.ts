import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@contextloom/contracts';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');

/** A service's built entry file. */
export const entryFile = (name: string, entry = 'server'): string => join(root, `services/${name}/dist/${entry}.js`);

const baseEnv = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', LOG_LEVEL: 'error' };

/** What a door answered: whether it was a success, and every word of the answer. */
export interface DoorAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: string;
}

/** The whole product in real processes over one data folder, with each of its doors. */
export interface RunningStack {
  readonly folder: string;
  readonly http: (method: string, path: string, body?: unknown) => Promise<DoorAnswer>;
  /**
   * A tool of `knowledge-base` (over HTTP to the service), `embedded` (a second process on the same store), `aggregator` (all of its profiles), or
   * `typed-memory` (bound to the user `ann`).
   */
  readonly tool: (
    server: 'knowledge-base' | 'embedded' | 'aggregator' | 'typed-memory',
    tool: string,
    args: JsonObject,
  ) => Promise<DoorAnswer>;
  readonly cli: (...args: string[]) => Promise<DoorAnswer>;
  readonly stop: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

interface HttpServer {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts a server that listens on the port it is given, and waits until it answers. */
export async function startHttp(
  toStart: (port: string) => { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> },
): Promise<HttpServer> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const { args, env } = toStart(port);
  const child = spawn(process.execPath, args, {
    env: { ...baseEnv, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (child.exitCode === null) {
    const healthy = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) return { url, child };
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${args.join(' ')} did not start`);
}

async function writeComposition(folder: string, url: string): Promise<string> {
  const node = (script: string, args: readonly string[], env: Record<string, string>) => ({
    command: process.execPath,
    args: [script, ...args],
    env: { LOG_LEVEL: 'error', ...env },
  });
  const file = join(folder, 'mcp_config.json');
  const mcpServers = {
    'persona-uozumi': node(entryFile('persona'), ['--persona', 'uozumi'], {}),
    'persona-marlow': node(entryFile('persona'), ['--persona', 'marlow'], {}),
    'knowledge-base': node(entryFile('knowledge-base'), [], { KB_URL: url }),
    'memory-processor': node(entryFile('memory-processor'), [], { KB_URL: url }),
  };
  await writeFile(file, JSON.stringify({ mcpServers, aggregator: { source_deadline_ms: 200_000 } }));
  return file;
}

/** Starts everything on a temporary folder. */
export async function startStack(): Promise<RunningStack> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-stack-'));
  const dataDir = join(folder, 'data');
  const knowledgeBase = await startHttp((port) => ({
    args: [entryFile('knowledge-base', 'service')],
    env: { KB_PORT: port, KB_DATA_DIR: dataDir },
  }));
  const { url } = knowledgeBase;
  const config = await writeComposition(folder, url);
  // One aggregator for the tools and for every command, as with `contextloom up`.
  const aggregator = await startHttp((port) => ({
    args: [entryFile('context-aggregator'), '--config', config, '--http', port],
    env: { MCP_CONFIG: config },
  }));
  const aggregatorUrl = `${aggregator.url}/mcp`;
  const entry = (script: string, args: readonly string[], env: Record<string, string>) => ({
    command: process.execPath,
    args: [script, ...args],
    env: { LOG_LEVEL: 'error', ...env },
    cwd: folder,
  });
  const upstreams = createUpstreams({
    servers: {
      'knowledge-base': entry(entryFile('knowledge-base'), [], { KB_URL: url }),
      embedded: entry(entryFile('knowledge-base'), [], { KB_DATA_DIR: dataDir }),
      'typed-memory': entry(entryFile('typed-memory'), [], {
        KB_URL: url,
        DEFAULT_USER_ID: 'ann',
        MEMORY_VAULT_KEY: randomBytes(32).toString('base64'),
      }),
      aggregator: { url: `${aggregatorUrl}/all`, headers: {} },
    },
    clientName: 'test',
    clientVersion: '0',
    log: silentLog,
  });
  return {
    folder,
    http: async (method, path, body) => {
      const init =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      const response = await fetch(`${url}${path}`, { method, ...init });
      return { ok: response.ok, status: response.status, body: await response.text() };
    },
    tool: async (server, tool, args) => {
      const result = await upstreams.call(server, tool, args, { timeoutMs: 60_000 });
      if (result.kind !== 'ok') return { ok: false, status: 0, body: JSON.stringify(result) };
      return { ok: true, status: 0, body: `${result.value.text}\n${JSON.stringify(result.value.structured)}` };
    },
    cli: (...args) =>
      new Promise((done) => {
        const script = join(root, 'services/cli/bin/contextloom.js');
        const env = baseEnv;
        execFile(
          process.execPath,
          [script, '--url', aggregatorUrl, ...args],
          { env, cwd: folder },
          (error, stdout, stderr) => {
            done({
              ok: error === null,
              status: typeof error?.code === 'number' ? error.code : 0,
              body: stdout + stderr,
            });
          },
        );
      }),
    stop: async () => {
      await upstreams.close();
      for (const { child } of [aggregator, knowledgeBase]) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
