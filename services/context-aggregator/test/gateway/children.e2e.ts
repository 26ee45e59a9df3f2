import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const gateway = fileURLToPath(new URL('../../dist/server.js', import.meta.url));
const child = fileURLToPath(new URL('../fixtures/faulty-child.mjs', import.meta.url));
const stubbornChild = fileURLToPath(new URL('../fixtures/stubborn-child.mjs', import.meta.url));

let folder: string;
let startsFile: string;
let client: Client;
let transport: StdioClientTransport;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faulty-children-'));
  startsFile = join(folder, 'starts');
  const config = join(folder, 'mcp_config.json');
  const entry = { command: process.execPath, args: [child], env: { STARTS_FILE: startsFile }, timeoutMs: 60_000 };
  const hasty = { ...entry, timeoutMs: 5_000 };
  const stubborn = { ...entry, args: [stubbornChild] };
  await writeFile(
    config,
    JSON.stringify({
      mcpServers: { faulty: entry, hasty, stubborn },
      aggregator: { own_servers: [], source_deadline_ms: 60_000 },
    }),
  );
  const args = [gateway, '--config', config, '--profile', 'all'];
  transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
  client = new Client({ name: 'test', version: '0' });
  await client.connect(transport);
});
afterEach(async () => {
  await client.close();
  // A child that is being ended may just be writing down that it began.
  await rm(folder, { recursive: true, maxRetries: 5 });
});

async function call(tool: string): Promise<unknown> {
  const { content } = await client.callTool({ name: tool, arguments: {} });
  return (content as { text: string }[])[0]?.text;
}

async function readPids(): Promise<readonly number[]> {
  const text = await readFile(startsFile, 'utf8').catch(() => '');
  return text.trim().split('\n').filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ESRCH: there is no such process.
  }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

async function expectGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await soon();
}

it('an upstream that writes garbage between its answers is understood', async () => {
  expect(await call('faulty__echo')).toMatch(/^echo of \d+$/);
});

it('an upstream that dies in a call is started again by the next one', async () => {
  const dying = String(await call('faulty__echo')).replace('echo of ', '');
  expect(await call('faulty__die')).toBe('faulty broke off.');
  const again = String(await call('faulty__echo'));
  expect(again).toMatch(/^echo of \d+$/);
  expect(again).not.toBe(`echo of ${dying}`);
  await expectGone([Number(dying)]);
});

it('an upstream that hangs is noticed, ended and started again, and another one answers meanwhile', async () => {
  const hanging = String(await call('hasty__echo')).replace('echo of ', '');
  expect(await call('hasty__hang')).toBe('hasty did not answer within 5000 ms.');
  expect(await call('faulty__echo')).toMatch(/^echo of/);
  let answer = await call('hasty__echo');
  while (!String(answer).startsWith('echo of')) answer = await call('hasty__echo');
  expect(answer).not.toBe(`echo of ${hanging}`);
  await expectGone([Number(hanging)]);
});

it.each(['close', 'SIGTERM', 'SIGKILL'])('no upstream outlives the aggregator that ends by %s', async (end) => {
  await call('faulty__echo');
  await call('hasty__echo');
  await call('stubborn__echo'); // It notices no end, and has a child that does not either.
  let pids = await readPids();
  while (pids.length < 4) pids = await soon().then(readPids);
  const aggregator = transport.pid as number;
  if (end === 'close') await client.close();
  else process.kill(aggregator, end as NodeJS.Signals);
  await expectGone([...pids, aggregator]);
});

it('a changed configuration starts what changed again, and an unchanged child keeps its process', async () => {
  const [kept, changed] = [await call('faulty__echo'), await call('hasty__echo')];
  const file = join(folder, 'mcp_config.json');
  const config = JSON.parse(await readFile(file, 'utf8'));
  config.mcpServers.hasty.env['ANOTHER'] = 'yes';
  config.mcpServers.third = config.mcpServers.faulty;
  await writeFile(file, JSON.stringify(config));
  while ((await client.listTools()).tools.every(({ name }) => name !== 'third__echo')) await soon();
  expect(await call('faulty__echo')).toBe(kept);
  expect(await call('hasty__echo')).not.toBe(changed);
  expect(await call('third__echo')).toMatch(/^echo of/);
  await expectGone([Number(String(changed).replace('echo of ', ''))]);
});
