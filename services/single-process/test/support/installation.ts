import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectOverHttp, type TestClient } from '@contextloom/testing';

const services = fileURLToPath(new URL('../../../', import.meta.url));
const program = (service: string, entry = 'server'): string => join(services, service, `dist/${entry}.js`);
const STORES = ['knowledge-base', 'memory-processor', 'personal-memory'];

/** A process that can be killed, and then runs again at the same place. */
export interface Restartable {
  readonly name: string;
  /** Kills it at once, or has it end in good order, and starts it again; what it is for works once this resolves. */
  readonly restart: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What runs over one data folder, or one database. */
export interface Installation {
  readonly processes: readonly Restartable[];
  /** Of the aggregator. */
  readonly port: number;
  /** Connects to the aggregator, however often that takes. */
  readonly connect: (revision?: string) => Promise<TestClient>;
  readonly stop: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** How a process is started. */
interface StartOptions {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Its port; without one it works as soon as it has said anything. */
  readonly port?: number;
}

async function untilItWorks(child: ChildProcess, { name, port }: StartOptions, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${said()}`);
    const isUp =
      port === undefined
        ? said() !== ''
        : await fetch(`http://127.0.0.1:${port}/health`).then(
            ({ ok }) => ok,
            () => false,
          );
    if (isUp) return;
    await sleep(50);
  }
}

/** Starts a process of this installation. */
export async function startProcess(options: StartOptions): Promise<Restartable> {
  const { name, args, env, cwd } = options;
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'info', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (text) => {
      said = `${said}${text}`.slice(-4_000);
    });
    await untilItWorks(child, options, () => said);
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} had ended by itself`);
    child.kill(signal);
    await ended;
  };
  await start();
  return {
    name,
    restart: async (signal) => {
      await end(signal);
      await start();
    },
    stop: () => end('SIGTERM'),
  };
}

async function connectTo(port: number, revision?: string): Promise<TestClient> {
  for (;;) {
    const client = await connectOverHttp(new URL(`http://127.0.0.1:${port}/mcp/all`), revision).catch(() => undefined);
    if (client !== undefined) return client;
    await sleep(100);
  }
}

/** Where an installation keeps all it has. */
export interface Place {
  /** A Postgres database; a folder of its own without it. */
  readonly databaseUrl?: string;
}

async function makePlace({ databaseUrl }: Place) {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-installation-'));
  const env = {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    CONTEXTLOOM_HOUSE_SECRET: 's'.repeat(40),
    JOB_LEASE_SECONDS: '1',
    MULTI_USER: 'true',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const config = join(folder, 'mcp_config.json');
  const writeConfig = (mcpServers: object) => writeFile(config, JSON.stringify({ mcpServers }));
  return { folder, env, config, writeConfig };
}

function toInstallation(processes: readonly Restartable[], port: number, folder: string): Installation {
  return {
    processes,
    port,
    connect: (revision) => connectTo(port, revision),
    stop: async () => {
      for (const one of processes.toReversed()) await one.stop();
      await rm(folder, { recursive: true, maxRetries: 5 });
    },
  };
}

/** Starts all servers in one process. */
export async function startTogether(place: Place): Promise<Installation> {
  const { folder: cwd, env, config, writeConfig } = await makePlace(place);
  const persona = { command: 'node', args: [program('persona'), '--persona', 'marlow'] };
  const stores = STORES.map((name) => [name, { command: 'node', args: [program(name)] }] as const);
  await writeConfig({ 'persona-marlow': persona, ...Object.fromEntries(stores) });
  const port = await freePort();
  const args = [program('single-process'), '--config', config, '--http', String(port)];
  return toInstallation([await startProcess({ name: 'single-process', args, env, cwd, port })], port, cwd);
}

/** Starts an aggregator, a knowledge base, a memory processor, a personal memory and a worker, a process each. */
export async function startApart(place: Place): Promise<Installation> {
  const { folder: cwd, env: shared, config, writeConfig } = await makePlace(place);
  const ports = Object.fromEntries(
    await Promise.all(['aggregator', ...STORES].map(async (name) => [name, await freePort()] as const)),
  );
  const portOf = (name: string): number => ports[name] ?? 0;
  await writeConfig(Object.fromEntries(STORES.map((name) => [name, { url: `http://127.0.0.1:${portOf(name)}/mcp` }])));
  const knowledgeBase = portOf('knowledge-base');
  const env = { ...shared, KB_URL: `http://127.0.0.1:${knowledgeBase}` };
  const http = (name: string) => ({ args: [program(name), '--http', String(portOf(name))], port: portOf(name) });
  const each: readonly StartOptions[] = [
    {
      name: 'knowledge-base',
      args: [program('knowledge-base', 'service')],
      env: { ...shared, KB_PORT: String(knowledgeBase) },
      port: knowledgeBase,
      cwd,
    },
    { name: 'memory-processor', ...http('memory-processor'), env, cwd },
    { name: 'personal-memory', ...http('personal-memory'), env: shared, cwd },
    { name: 'worker', args: [program('memory-processor'), '--worker', '2'], env, cwd },
    {
      name: 'aggregator',
      args: [program('context-aggregator'), '--config', config, '--http', String(portOf('aggregator'))],
      env: shared,
      port: portOf('aggregator'),
      cwd,
    },
  ];
  const processes: Restartable[] = [];
  for (const one of each) processes.push(await startProcess(one));
  return toInstallation(processes, portOf('aggregator'), cwd);
}
