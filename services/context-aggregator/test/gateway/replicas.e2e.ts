import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectOverHttp, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { type HttpAggregator, startHttpAggregator } from '../support/server-process.ts';

const child = fileURLToPath(new URL('../fixtures/faulty-child.mjs', import.meta.url));

let folder: string;
let replicas: readonly HttpAggregator[];
let balancer: Balancer;
const clients: TestClient[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-replicas-'));
  const config = join(folder, 'mcp_config.json');
  const notes = { command: process.execPath, args: [child], env: { STARTS_FILE: join(folder, 'starts') } };
  const aggregator = { own_servers: [], source_deadline_ms: 60_000 };
  await writeFile(config, JSON.stringify({ mcpServers: { notes }, aggregator }));
  replicas = await Promise.all([startHttpAggregator(config), startHttpAggregator(config)]);
  balancer = await startBalancer(replicas.map(({ url }) => url));
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close().catch(() => undefined); // Its replica may be gone.
  await balancer.close();
  await Promise.all(replicas.map(({ stop }) => stop()));
  await rm(folder, { recursive: true });
});

async function connect(revision: string): Promise<TestClient> {
  const client = await connectOverHttp(balancer.url, revision);
  clients.push(client);
  return client;
}

/** Makes calls; answers which processes of the server answered. Each replica has its own. */
async function callMany({ callTool }: TestClient, count: number): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(Array.from({ length: count }, () => callTool('notes__echo')));
  for (const { text } of answers) expect(text).toMatch(/^echo of \d+$/);
  return new Set(answers.map(({ text }) => text));
}

it('a client of 2026-07-28 is answered by all replicas in turn, and goes on when one is killed', async () => {
  const client = await connect('2026-07-28');
  expect((await callMany(client, 20)).size).toBe(2);
  await replicas[0]?.kill();
  expect((await callMany(client, 20)).size).toBe(1);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('notes__echo');
});

it('a client of 2025-11-25 stays with the replica of its session; when that is killed, it begins a new one', async () => {
  const [one, other] = [await connect('2025-11-25'), await connect('2025-11-25')];
  const [answeredOne, answeredOther] = [await callMany(one, 10), await callMany(other, 10)];
  expect([answeredOne.size, answeredOther.size]).toEqual([1, 1]);
  expect(answeredOne).not.toEqual(answeredOther);
  await replicas[0]?.kill();
  const survivors = await Promise.allSettled([callMany(one, 5), callMany(other, 5)]);
  expect(survivors.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const lost = survivors.find((outcome) => outcome.status === 'rejected');
  expect(String(lost?.reason)).toContain('Session not found');
  expect((await callMany(await connect('2025-11-25'), 5)).size).toBe(1);
});
