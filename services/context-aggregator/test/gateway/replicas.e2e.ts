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

const startSealed = (secret = 'one secret of at least thirty-two characters') =>
  startHttpAggregator(join(folder, 'mcp_config.json'), { ...process.env, CONTEXTLOOM_HOUSE_SECRET: secret });

/** A call that a client may repeat: whatever cuts it off is told as a failure of the transport, not as an answer. */
async function repeat({ callTool }: TestClient): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { isError, text } = await callTool('notes__echo');
      // Of the server behind a replica that was killed nothing is known either.
      if (isError !== true) return text;
      throw new Error(text);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

const repeatMany = (client: TestClient, count: number): Promise<readonly string[]> =>
  Promise.all(Array.from({ length: count }, () => repeat(client)));

async function repeatUntil(client: TestClient, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (; !signal.aborted; count += 1) await repeat(client);
  return count;
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const post = (url: URL, message: object, session?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
    body: JSON.stringify(message),
  });

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

it.each(['2025-11-25', '2026-07-28'])(
  'with one secret and no stickiness, a client of %s is answered by all replicas, also when they are killed and replaced in turn',
  async (revision) => {
    const running = [await startSealed(), await startSealed()];
    const urls = running.map(({ url }) => url);
    const free = await startBalancer(urls, { isSticky: false });
    try {
      const connected = [await connectOverHttp(free.url, revision), await connectOverHttp(free.url, revision)];
      clients.push(...connected);
      for (const client of connected) expect((await callMany(client, 20)).size).toBe(2);
      // One is killed with calls under way: a client may repeat what was cut off.
      const calls = connected.map((client) => repeatMany(client, 40));
      await running[0]?.kill();
      expect((await Promise.all(calls)).flat()).toHaveLength(80);
      // Then each is replaced in turn, under load.
      const ended = new AbortController();
      const load = connected.map((client) => repeatUntil(client, ended.signal));
      for (const at of [0, 1]) {
        const next = await startSealed();
        urls[at] = next.url;
        await running[at]?.stop();
        running[at] = next;
      }
      ended.abort();
      for (const count of await Promise.all(load)) expect(count).toBeGreaterThan(0);
      // None of those that the session began with is there any more.
      for (const client of connected) expect((await callMany(client, 20)).size).toBe(2);
    } finally {
      await free.close();
      await Promise.all(running.map(({ stop }) => stop()));
    }
  },
  120_000,
);

it('a session id that was altered is not found at any replica, and neither is one of another installation', async () => {
  const running = [await startSealed(), await startSealed('another secret of at least thirty-two characters')];
  try {
    const [first, second] = running.map(({ url }) => url) as [URL, URL];
    const begun = await post(first, INITIALIZE);
    const session = begun.headers.get('mcp-session-id') ?? '';
    expect(session.length).toBeGreaterThan(100);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await post(first, ping, session)).status).toBe(200);
    const altered = `${session.slice(0, 40)}${session[40] === 'A' ? 'B' : 'A'}${session.slice(41)}`;
    for (const [url, id] of [
      [first, altered],
      [second, session],
    ] as const) {
      const refused = await post(url, ping, id);
      expect([refused.status, await refused.json()]).toEqual([
        404,
        { jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null },
      ]);
    }
  } finally {
    await Promise.all(running.map(({ stop }) => stop()));
  }
});
