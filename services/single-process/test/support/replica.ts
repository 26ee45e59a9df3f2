import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connectOverHttp, type TestClient } from '@contextloom/testing';
import { expect } from '@jest/globals';
import { USERS } from './ledger.ts';

const services = fileURLToPath(new URL('../../../', import.meta.url));
const SERVERS = { 'knowledge-base': [], 'memory-processor': [], 'personal-memory': ['--multi-user'] };

/** All servers that keep something in the database, in one process. */
export interface Replica {
  readonly connect: () => Promise<TestClient>;
  /** What it wrote on standard error. */
  readonly said: () => string;
  readonly isAlive: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Starts a process over a database; its stores have been opened. */
async function startReplica(url: string): Promise<Replica> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-replica-'));
  const config = join(folder, 'mcp_config.json');
  const toEntry = ([name, own]: readonly [string, readonly string[]]) =>
    [name, { command: 'node', args: [join(services, name, 'dist/server.js'), ...own] }] as const;
  await writeFile(config, JSON.stringify({ mcpServers: Object.fromEntries(Object.entries(SERVERS).map(toEntry)) }));
  const places = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...places,
    DATABASE_URL: url,
    JOB_LEASE_SECONDS: '1',
    LOG_LEVEL: 'info',
  };
  const program = join(services, 'single-process/dist/server.js');
  const child = spawn(process.execPath, [program, '--config', config, '--http', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      said += `${line}\n`;
      const shown = line.startsWith('{') ? (JSON.parse(line) as { readonly url?: string }).url : undefined;
      if (shown?.endsWith('/mcp') === true) resolve(shown);
    });
  });
  const connect = () => connectOverHttp(new URL(`${address}/all`));
  const client = await connect();
  for (const server of Object.keys(SERVERS)) await client.callTool(`${server}__forget_user`, { user_id: 'nobody' });
  await client.close();
  return {
    connect,
    said: () => said,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    stop: async () => {
      const ended = once(child, 'exit');
      if (child.kill('SIGTERM')) await ended;
      await rm(folder, { recursive: true, maxRetries: 5 });
    },
  };
}

/** Works with a process over a database, which has to live to the end. */
export async function withReplica(url: string, work: (replica: Replica) => Promise<void>): Promise<void> {
  const replica = await startReplica(url);
  try {
    await work(replica).catch((error: unknown) => {
      if (replica.isAlive()) throw error;
      throw new Error(`it ended: ${replica.said().slice(-4_000)}`, { cause: error });
    });
    expect(replica.isAlive()).toBe(true);
  } finally {
    await replica.stop();
  }
}

/** Works with four clients at once, each for a user. */
export async function atOnce(
  replica: Replica,
  lane: (client: TestClient, user: string) => Promise<void>,
): Promise<void> {
  const each = async (user: string) => {
    const client = await replica.connect();
    await lane(client, user).finally(() => client.close());
  };
  await Promise.all(USERS.map(each));
}
