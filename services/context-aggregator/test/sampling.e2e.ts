import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type HttpAggregator, serverFile, startHttpAggregator } from './support/server-process.ts';

const entryFile = (service: string) => fileURLToPath(new URL(`../../${service}/dist/server.js`, import.meta.url));

let folder: string;
let file: string;
let aggregator: HttpAggregator;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sampling-'));
  file = join(folder, 'mcp_config.json');
  const env = {
    LOG_LEVEL: 'error',
    MCP_CONFIG: file,
    KB_DATA_DIR: join(folder, 'data'),
    MEMORY_PROCESSOR_DATA_DIR: join(folder, 'jobs'),
  };
  const start = (service: string, more = {}) => ({
    command: process.execPath,
    args: [entryFile(service)],
    env: { ...env, ...more },
  });
  const reader = { LLM_PROVIDER: 'sampling', LLM_CHECK_FACTS: 'off' };
  const mcpServers = {
    'knowledge-base': start('knowledge-base'),
    'memory-processor': start('memory-processor', reader),
  };
  const expose = { 'memory-processor': true };
  await writeFile(file, JSON.stringify({ mcpServers, aggregator: { own_servers: ['memory-processor'], expose } }));
  aggregator = await startHttpAggregator(file, { ...process.env, HOME: folder, XDG_DATA_HOME: folder });
}, 60_000);
afterAll(async () => {
  await aggregator.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

type Era = 'legacy' | 'modern';

interface Person {
  readonly client: Client;
  /** What its model was asked. */
  readonly asked: string[];
}

/** A client of somebody, whose model draws a fact with their name from each piece; without a model it is `undefined`. */
async function connect(way: 'HTTP' | 'stdio', era: Era, model: string | 'refuses' | undefined): Promise<Person> {
  const asked: string[] = [];
  const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client(
    { name: 'test', version: '0' },
    { capabilities: model === undefined ? {} : { sampling: {} }, versionNegotiation: { mode } },
  );
  if (model !== undefined) {
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
      asked.push(JSON.stringify(params));
      if (model === 'refuses') throw new Error('User rejected sampling request');
      const memory = { content: `${model} saw a whale near Tromsø.`, importance: 8, type: 'event', evidence: ['1'] };
      return {
        role: 'assistant',
        model: 'scripted',
        content: { type: 'text', text: JSON.stringify({ memories: [memory], importance: 6 }) },
      };
    });
  }
  const args = [serverFile, '--config', file, '--profile', 'all'];
  await client.connect(
    way === 'stdio'
      ? new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL(`${aggregator.url.href}/all`)),
  );
  return { client, asked };
}

async function call(client: Client, name: string, args: object) {
  const { structuredContent, content } = await client.callTool({ name, arguments: { ...args } }, { timeout: 60_000 });
  if (structuredContent === undefined) throw new Error(JSON.stringify(content));
  return structuredContent as Readonly<Record<string, unknown>>;
}

const contentsOf = (answer: Readonly<Record<string, unknown>>): readonly string[] =>
  (answer['saved_memories'] as readonly { readonly content: string }[]).map(({ content }) => content);

describe.each([
  ['HTTP', 'legacy'],
  ['HTTP', 'modern'],
  ['stdio', 'legacy'],
] as const)('a conversation that the model of the client reads, over %s in the %s era', (way, era) => {
  const toUser = (name: string) => `${name}-${way}-${era}`.toLowerCase();

  it.each(['store_conversation_memory', 'memory-processor__process_transcript'])(
    'asks each client in its own calls alone: %s',
    async (tool) => {
      const [anna, berta] = await Promise.all([connect(way, era, 'Anna'), connect(way, era, 'Berta')]);
      const store = ({ client }: Person, name: string) =>
        call(client, tool, {
          user_id: toUser(`${name}-${tool.slice(0, 5)}`),
          conversation_history: `${name}: I, ${name}, saw a whale near Tromsø.`,
        });
      const [ofAnna, ofBerta] = await Promise.all([store(anna, 'Anna'), store(berta, 'Berta')]);
      for (const [name, other, answer, { asked }] of [
        ['Anna', 'Berta', ofAnna, anna],
        ['Berta', 'Anna', ofBerta, berta],
      ] as const) {
        expect(answer['extractor']).toEqual({ kind: 'model', name: 'sampling' });
        expect(contentsOf(answer)).toContain(`${name} saw a whale near Tromsø.`);
        expect(asked.length).toBeGreaterThan(0);
        expect(asked.join()).not.toContain(other);
        // What tells calls apart stays between servers.
        expect(asked.join()).not.toContain('contextloom/call');
      }
      await Promise.all([anna.client.close(), berta.client.close()]);
    },
    120_000,
  );

  it.each([undefined, 'refuses'])(
    'waits to be read, and is found by words, where the client has no model: %s',
    async (model) => {
      const { client, asked } = await connect(way, era, model);
      const user_id = toUser(`carl-${model}`);
      const conversation_history = 'Carl: I, Carl, saw a whale near Tromsø.';
      const stored = call(client, 'store_conversation_memory', { user_id, conversation_history });
      if (model === 'refuses' && era === 'modern') {
        // Such a client ends its own call when its user says no.
        await expect(stored).rejects.toThrow('rejected');
        return client.close();
      }
      const answer = await stored;
      expect(answer['message']).toContain('has the model read 1 piece that it could not be asked for');
      expect(answer['failed']).toEqual([{ source: expect.any(String), reason: expect.stringContaining('client') }]);
      expect(asked).toHaveLength(model === undefined ? 0 : 1);
      const found = await call(client, 'get_user_memories', { user_id, query: 'whale near Tromsø' });
      expect(JSON.stringify(found)).toContain('saw a whale near Tromsø');
      await client.close();
      // The same conversation from a client that has one.
      const able = await connect(way, era, 'Carl');
      const again = await call(able.client, 'store_conversation_memory', { user_id, conversation_history });
      expect(contentsOf(again)).toContain('Carl saw a whale near Tromsø.');
      await able.client.close();
    },
    120_000,
  );
});
