import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { waitUntilGone } from '../support/server-process.ts';

const SERVERS = ['one', 'two', 'three', 'four', 'five'];
const child = fileURLToPath(new URL('../fixtures/faulty-child.mjs', import.meta.url));

let folder: string;
let gateway: TestGateway;
let client: TestClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-kills-'));
  const env = { PATH: process.env['PATH'] ?? '', STARTS_FILE: join(folder, 'starts') };
  const entry = { command: process.execPath, args: [child], env, cwd: folder };
  gateway = createTestGateway({ programs: Object.fromEntries(SERVERS.map((server) => [server, entry])) });
  client = await connectInMemory(gateway.factory);
});
afterAll(async () => {
  await client.close();
  await gateway.close();
  await rm(folder, { recursive: true });
});

/** Calls a server; answers the id of its process. */
async function readPid(server: string): Promise<number> {
  const { text } = await client.callTool(`${server}__echo`);
  expect(text).toMatch(/^echo of \d+$/);
  return Number(text.replace('echo of ', ''));
}

it('each upstream is killed in turn: only its own calls fail, and the next call of it is answered', async () => {
  const pids = new Map<string, number>();
  for (const server of SERVERS) pids.set(server, await readPid(server));
  for (const killed of SERVERS) {
    const pid = pids.get(killed) ?? 0;
    const underWay = [1, 2, 3].map(() => client.callTool(`${killed}__wait`));
    const others = SERVERS.filter((server) => server !== killed);
    const answers = Promise.all([...others, ...others].map(readPid));
    // The calls are written to the pipe in order: once this one is answered, the server has those before it.
    await readPid(killed);
    process.kill(pid, 'SIGKILL');
    for (const { text } of await Promise.all(underWay)) expect(text).toBe(`${killed} broke off.`);
    const again = await readPid(killed);
    expect(again).not.toBe(pid);
    pids.set(killed, again);
    const expected = others.map((server) => pids.get(server));
    expect(await answers).toEqual([...expected, ...expected]);
    await waitUntilGone([pid]);
  }
});
