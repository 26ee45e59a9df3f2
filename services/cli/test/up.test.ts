import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { writeTestComposition } from './fixtures/composition.ts';
import { descendantsOf, isAlive, leftBehind } from './fixtures/processes.ts';
import { runCli } from './fixtures/run-cli.ts';
import { type SpawnedCli, spawnCli, spawnThroughNpm } from './fixtures/spawn-cli.ts';

const service = z.object({ url: z.string(), pid: z.number() });
const runningSchema = z.object({
  knowledge_base: service,
  aggregator: service,
  client_configuration: z.object({
    http: z.object({ mcpServers: z.record(z.string(), z.object({ type: z.literal('http'), url: z.string() })) }),
    stdio: z.object({
      mcpServers: z.record(
        z.string(),
        z.object({
          command: z.string(),
          args: z.array(z.string()),
          env: z.record(z.string(), z.string()),
        }),
      ),
    }),
  }),
});

let folder: string;
let config: string;
let cli: SpawnedCli | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-up-'));
  config = await writeTestComposition(folder);
});

afterEach(async () => {
  cli?.child.kill('SIGTERM');
  await cli?.ended;
  cli = undefined;
  await rm(folder, { recursive: true });
});

function up(...args: string[]): SpawnedCli {
  cli = spawnCli(['up', '--config', config, ...args], { KB_DATA_DIR: join(folder, 'knowledge-base') });
  return cli;
}

async function upAndRunning() {
  const running = up('--kb-port', '0', '--port', '0', '--json');
  return { cli: running, ...runningSchema.parse(await running.document()) };
}

describe('contextloom up', () => {
  it('runs the whole composition, and Ctrl-C leaves not one of its processes behind', async () => {
    const running = await upAndRunning();
    expect((await fetch(`${running.knowledge_base.url}/health`)).status).toBe(200);
    const status = await runCli(['--url', running.aggregator.url, 'status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ status: 'running' });
    const processes = descendantsOf(running.cli.child.pid);
    expect(processes.length).toBeGreaterThanOrEqual(6);
    running.cli.child.kill('SIGINT');
    expect(await running.cli.ended).toBe(0);
    expect(await leftBehind(processes)).toEqual([]);
  });

  it('leaves nothing behind either when it is killed and can end nothing itself', async () => {
    const running = await upAndRunning();
    const processes = descendantsOf(running.cli.child.pid);
    running.cli.child.kill('SIGKILL');
    await running.cli.ended;
    expect(await leftBehind(processes)).toEqual([]);
  });

  it.each([
    ['npm start', 'SIGTERM', ['start', '--silent', '--']],
    ['npm start', 'SIGKILL', ['start', '--silent', '--']],
    ['npx contextloom up', 'SIGTERM', ['exec', '--silent', '--', 'contextloom', 'up']],
  ] as const)('leaves nothing behind when %s is ended by %s in the background', async (_name, signal, words) => {
    const args = ['--config', config, '--kb-port', '0', '--port', '0', '--json'];
    cli = spawnThroughNpm([...words, ...args], { KB_DATA_DIR: join(folder, 'knowledge-base') });
    runningSchema.parse(await cli.document());
    const processes = descendantsOf(cli.child.pid);
    expect(processes.length).toBeGreaterThanOrEqual(3);
    cli.child.kill(signal);
    const left = await leftBehind(processes);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toEqual([]);
  });

  it('ends everything with code 1 and says which one when a service dies', async () => {
    const running = await upAndRunning();
    process.kill(running.knowledge_base.pid, 'SIGKILL');
    expect(await running.cli.ended).toBe(1);
    expect(running.cli.stderr()).toMatch(/contextloom: knowledge-base ended by SIGKILL.*the rest was stopped\n$/);
    expect(isAlive(running.aggregator.pid)).toBe(false);
  });

  it('gives client configurations, one over HTTP, one that starts the aggregator on the same data; SIGTERM ends it', async () => {
    const { cli: running, knowledge_base, aggregator, client_configuration } = await upAndRunning();
    expect(client_configuration.http.mcpServers['context-aggregator']?.url).toBe(aggregator.url);
    expect(client_configuration.stdio.mcpServers['context-aggregator']).toEqual({
      command: process.execPath,
      args: [expect.stringMatching(/^\/.*context-aggregator\/dist\/server\.js$/), '--config', config],
      env: { KB_DATA_DIR: join(folder, 'knowledge-base') },
    });
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect([isAlive(knowledge_base.pid), isAlive(aggregator.pid)]).toEqual([false, false]);
  });

  it('names port, address and option for a port in use, and starts nothing', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const running = up('--kb-port', String(port), '--port', '0');
      expect(await running.ended).toBe(1);
      expect(running.stderr()).toBe(
        `contextloom: port ${port} on 127.0.0.1 is in use: choose another with --kb-port or KB_PORT\n`,
      );
      expect(running.stdout()).toBe('');
    } finally {
      taken.close();
    }
  });

  it('prints addresses and both configurations for people, and ends on SIGHUP', async () => {
    const running = up('--kb-port', '0', '--port', '0');
    while (!running.stdout().includes('Ctrl-C')) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(running.stdout()).toMatch(/aggregator +http:\/\/127\.0\.0\.1:\d+\/mcp/);
    expect(running.stdout()).toMatch(/knowledge base +http:\/\/127\.0\.0\.1:\d+/);
    expect(running.stdout().match(/"mcpServers"/g)).toHaveLength(2);
    running.child.kill('SIGHUP');
    expect(await running.ended).toBe(0);
  });
});
