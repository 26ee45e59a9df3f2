import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { toRounds } from '@contextloom/testing/rounds';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';

const CRASHES = toRounds(50, 500);
/** The first ones load what is loaded once, such as the shell that watches over children. */
const WARM_UP = 10;
const child = fileURLToPath(new URL('../fixtures/faulty-child.mjs', import.meta.url));

let folder: string;
let gateway: TestGateway;
let client: TestClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-crashes-'));
  const env = { PATH: process.env['PATH'] ?? '', STARTS_FILE: join(folder, 'starts') };
  const faulty = { command: process.execPath, args: [child], env, cwd: folder };
  gateway = createTestGateway({ programs: { faulty } });
  client = await connectInMemory(gateway.factory);
  await client.listTools();
});
afterAll(async () => {
  await client.close();
  await gateway.close();
  await rm(folder, { recursive: true });
});

/** Answers a call and dies in the next: an answer between two outages keeps the circuit breaker closed. */
async function crash(): Promise<void> {
  expect((await client.callTool('faulty__echo')).text).toMatch(/^echo of \d+$/);
  expect((await client.callTool('faulty__die')).text).toBe('faulty broke off.');
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Children of this process that run the upstream. */
function countChildren(): number {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,args=']).toString().split('\n');
  return lines.filter((line) => Number.parseInt(line, 10) === process.pid && line.includes(child)).length;
}

async function takeStock() {
  const descriptors = process.platform === 'linux' ? (await readdir('/proc/self/fd')).length : 0;
  const { Timeout: timers = 0, ...resources } = countBy(process.getActiveResourcesInfo());
  const listeners = process.eventNames().map((event) => process.listenerCount(event));
  return { descriptors, timers, resources, listeners, children: countChildren() };
}

/** What ends a moment after a crash, such as a pipe, is waited for. */
async function settle(): Promise<ReturnType<typeof takeStock>> {
  for (;;) {
    const stock = await takeStock();
    if (stock.children === 0) return stock;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it(`${CRASHES} crashes of a child leave no process, descriptor, timer or listener behind`, async () => {
  for (let round = 0; round < WARM_UP; round += 1) await crash();
  const before = await settle();
  for (let round = 0; round < CRASHES; round += 1) await crash();
  const after = await settle();
  expect(after.timers).toBeLessThanOrEqual(before.timers);
  expect({ ...after, timers: 0 }).toEqual({ ...before, timers: 0 });
});
