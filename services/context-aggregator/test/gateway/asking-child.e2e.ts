import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type HttpAggregator, serverFile, startHttpAggregator } from '../support/server-process.ts';

const child = fileURLToPath(new URL('../fixtures/asking-child.mjs', import.meta.url));

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'asking-child-'));
  file = join(folder, 'mcp_config.json');
  const entry = { command: process.execPath, args: [child] };
  await writeFile(file, JSON.stringify({ mcpServers: { asking: entry }, aggregator: { own_servers: [] } }));
});
afterAll(() => rm(folder, { recursive: true }));

type Era = 'legacy' | 'modern';

function createClient(era: Era, name: string, isAble: boolean): Client {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
  const capabilities = isAble ? { sampling: {}, elicitation: { form: {} }, roots: {} } : {};
  const client = new Client({ name, version: '0' }, { capabilities, versionNegotiation: { mode } });
  if (!isAble) return client;
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    model: name,
    content: { type: 'text', text: `sampled by ${name}` },
  }));
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name } }));
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: `file:///${name}` }] }));
  return client;
}

type Connect = (name: string, isAble: boolean) => Promise<Client>;

/** Lets clients connect: over HTTP to one process, over stdio each to its own. */
function toConnect(overHttp: HttpAggregator | undefined, era: Era): Connect {
  return async (name, isAble) => {
    const client = createClient(era, name, isAble);
    const args = [serverFile, '--config', file, '--profile', 'all'];
    await client.connect(
      overHttp === undefined
        ? new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' })
        : new StreamableHTTPClientTransport(new URL(`${overHttp.url.href}/all`)),
    );
    return client;
  };
}

async function call(client: Client, tool: string): Promise<unknown> {
  const { content } = await client.callTool({ name: `asking__${tool}`, arguments: {} });
  const [block] = content;
  return block?.type === 'text' ? JSON.parse(block.text) : block;
}

/** Waits until the upstream has an answer to this many questions that belong to no call. */
async function untilTold(client: Client, count: number): Promise<readonly unknown[]> {
  for (;;) {
    const told = (await call(client, 'told')) as unknown[];
    if (told.length >= count) return told;
    await delay(50);
  }
}

const QUESTIONS = 4;

describe.each([
  ['HTTP', 'legacy'],
  ['HTTP', 'modern'],
  ['stdio', 'legacy'],
  ['stdio', 'modern'],
] as const)('an upstream over stdio that asks by itself, to clients over %s of the %s era', (way, era) => {
  let aggregator: HttpAggregator | undefined;
  let [ann, ben, bare]: Client[] = [];

  beforeAll(async () => {
    aggregator = way === 'HTTP' ? await startHttpAggregator(file) : undefined;
    const connect = toConnect(aggregator, era);
    [ann, ben, bare] = [await connect('ann', true), await connect('ben', true), await connect('bare', false)];
  });
  afterAll(async () => {
    for (const client of [ann, ben, bare]) await client?.close();
    // A process that had ended by itself has another exit code.
    if (aggregator !== undefined) expect(await aggregator.stop()).toBe(0);
  });

  it('gets an answer during a call from the client whose call it is', async () => {
    for (const [client, name] of [
      [ann, 'ann'],
      [ben, 'ben'],
    ] as const) {
      expect(await call(client as Client, 'roots')).toEqual({ roots: [{ uri: `file:///${name}` }] });
      expect(await call(client as Client, 'sample')).toMatchObject({ model: name });
      expect(await call(client as Client, 'elicit')).toMatchObject({ action: 'accept', content: { name } });
      expect(await call(client as Client, 'odd')).toMatchObject({ code: -32_601 });
    }
  });

  it('gets an answer or a refusal to what it asks at its start and after calls, and calls go on', async () => {
    const client = ann as Client;
    await untilTold(client, QUESTIONS);
    for (const _round of [1, 2, 3]) expect(await call(client, 'later')).toMatch(/^answer of/);
    const told = await untilTold(client, 4 * QUESTIONS);
    for (const one of told) expect(one).toEqual(expect.any(Object));
    expect(await call(client, 'sample')).toMatchObject({ model: 'ann' });
  });

  it('is refused where its client can do none of it', async () => {
    const client = bare as Client;
    for (const tool of ['roots', 'sample', 'elicit', 'odd']) {
      expect(await call(client, tool)).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    }
    const told = await untilTold(client, QUESTIONS);
    for (const one of told) expect(one).toMatchObject({ code: expect.any(Number) });
  });

  it('leaves calls of other clients alone', async () => {
    const calls = Array.from({ length: 10 }, () => [
      call(ann as Client, 'later'),
      call(ben as Client, 'answer'),
      call(bare as Client, 'later'),
    ]);
    for (const answer of await Promise.all(calls.flat())) expect(answer).toMatch(/^answer of/);
  });
});
