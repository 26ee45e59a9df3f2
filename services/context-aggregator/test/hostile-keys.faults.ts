import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { createApi } from '@contextloom/server-kit';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { attack } from '@contextloom/testing/hostile/attack';
import type { HostileTool } from '@contextloom/testing/hostile/calls';
import { toRounds } from '@contextloom/testing/rounds';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLocalService } from '../../knowledge-base/test/support/local-service.ts';
import { createAggregatorGateway } from '../src/build-gateway.ts';
import { createAggregatorServer } from '../src/build-server.ts';
import { loadAggregatorConfig } from '../src/config.ts';
import { operations } from '../src/operations/index.ts';
import { serverFile } from './support/server-process.ts';

const ATTEMPTS = toRounds(400, 10_000);
const SECRET = 'quokka-lighthouse-7731';
/** Users whose names come near the caller's. */
const OTHERS = ['bob', 'Ann', 'ann '];
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The servers as they are built, with their data in one folder, over a knowledge base in this process. */
async function writeComposition(folder: string, knowledgeBase: string): Promise<string> {
  const env = { HOME: folder, XDG_DATA_HOME: folder, LOG_LEVEL: 'error', KB_URL: knowledgeBase };
  const program = (service: string, more: object = {}, ...args: readonly string[]) => ({
    command: process.execPath,
    args: [join(root, `services/${service}/dist/server.js`), ...args],
    env: { ...env, ...more },
  });
  const mcpServers = {
    'persona-marlow': program('persona', {}, '--persona', 'marlow'),
    'knowledge-base': { url: `${knowledgeBase}/mcp` },
    'memory-processor': program('memory-processor'),
    'personal-memory': program('personal-memory', { MULTI_USER: 'true' }),
    'typed-memory': program('typed-memory', { DEFAULT_USER_ID: 'bob' }),
  };
  const contextSources = [
    { name: 'memories', use: 'memories' },
    {
      name: 'profile',
      server: 'personal-memory',
      tool: 'query_profile',
      arguments: { user_id: '{{user_id}}' },
      items: '/profile',
      line: '{{key}}: {{value}}',
    },
  ];
  const aggregator = { own_servers: Object.keys(mcpServers), source_deadline_ms: 60_000 };
  const file = join(folder, 'mcp_config.json');
  await writeFile(file, JSON.stringify({ mcpServers, aggregator, contextSources }));
  return file;
}

/** The aggregator with the tools of all servers, as `--profile all` offers it. */
async function openGateway(file: string) {
  const config = await loadAggregatorConfig({ env: process.env, file, ownFile: serverFile });
  const client = { log: silentLog, clientName: 'test', clientVersion: '0', stderr: 'ignore' as const };
  const upstreams = createUpstreams({ ...client, servers: config.servers });
  const shared = { log: silentLog, version: '0', upstreams, toSettings: () => config };
  const gateway = createAggregatorGateway({
    ...shared,
    accounts: { toServers: (entries) => entries },
    own: createAggregatorServer(shared),
    openFor: (can, servers) => createUpstreams({ ...client, ...can, servers }),
  });
  const close = async () => {
    await Promise.all([gateway.close(), upstreams.close()]);
  };
  return { factory: gateway.factory, close };
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly enum?: readonly unknown[] }>>;
  readonly required?: readonly string[];
}

const VALUES: Readonly<Record<string, unknown>> = {
  string: 'code',
  number: 1,
  integer: 1,
  boolean: true,
  array: ['code'],
  object: {},
};

/** A tool with a value for each argument that it needs. */
function toHostileTool({ name, inputSchema }: { readonly name: string; readonly inputSchema: object }): HostileTool {
  const { properties = {}, required = [] } = inputSchema as ObjectSchema;
  const exampleOf = (field: string): unknown => properties[field]?.enum?.[0] ?? VALUES[String(properties[field]?.type)];
  const needed = required.filter((field) => field !== 'user_id');
  const args = Object.fromEntries(needed.map((field) => [field, exampleOf(field)]));
  return { name, fields: Object.keys(properties), args };
}

let folder: string;
let local: TestClient;
let gateway: Awaited<ReturnType<typeof openGateway>>;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-hostile-'));
  const service = await startLocalService();
  gateway = await openGateway(await writeComposition(folder, service.url));
  local = await connectInMemory(gateway.factory);
  closing.push(local.close, gateway.close, service.stop, () => rm(folder, { recursive: true, force: true }));
}, 300_000);
afterAll(async () => {
  for (const close of closing) await close();
});

async function call(name: string, args: Record<string, unknown>) {
  const { isError, structured, text } = await local.callTool(name, args);
  if (isError) throw new Error(`${name}: ${text}`);
  return { structured: Object(structured) as Record<string, unknown>, text };
}

/** Stores the secret with everybody but ann, by every server; the ids of what was stored. */
async function seed(): Promise<readonly unknown[]> {
  const ids: unknown[] = [...OTHERS];
  for (const [at, user_id] of OTHERS.entries()) {
    const doc_id = `foreign-${at}`;
    const tags = ['memory', 'typed-memory/core'];
    await call('knowledge-base__add_document', {
      doc_id,
      content: `The code is ${SECRET}.`,
      tags,
      metadata: { user_id },
    });
    await call('personal-memory__update_profile', { user_id, key: 'code', value: SECRET });
    const event = { user_id, event_type: 'purchase', description: `Bought ${SECRET}` };
    const added = await call('personal-memory__add_event', event);
    await call('store_conversation_memory', {
      user_id,
      conversation_history: `User: My favourite codeword is ${SECRET}, and I love green tea.\nAssistant: Noted.`,
    });
    const built = await call('build_prompt_with_context', { persona_name: 'marlow', user_id, user_query: 'the code' });
    if (!built.text.includes(SECRET)) throw new Error('the prompt of the owner must tell the secret');
    const manifest = Object(built.structured['manifest']) as Record<string, unknown>;
    ids.push(doc_id, manifest['hash'], ...Object.values(added.structured).filter((id) => typeof id === 'number'));
  }
  const { structured } = await call('typed-memory__memory_add', {
    content: `The code is ${SECRET}.`,
    memory_type: 'core',
  });
  return [...ids, structured['memory_id'], 'decision-1'];
}

/** All that the others have, as they would read it. */
async function readForeign(): Promise<readonly string[]> {
  const texts: string[] = [(await call('typed-memory__memory_get_profile', {})).text];
  for (const user_id of OTHERS) {
    const listed = { metadata_filter: { user_id }, user_id, limit: 200 };
    texts.push((await call('knowledge-base__list_documents', listed)).text);
    texts.push((await call('personal-memory__export_data', { user_id })).text);
    texts.push((await call('list_facts', { user_id })).text, (await call('list_decisions', { user_id })).text);
  }
  return texts;
}

it(`tells a key of one user nothing of others in ${ATTEMPTS} hostile attempts, by its own tools and those of all servers`, async () => {
  const ids = await seed();
  const before = await readForeign();
  const { tools } = await local.listTools();
  const own = new Set<string>(operations.map(({ name }) => name));
  const { prompts } = await local.listPrompts();
  const { resources } = await local.client.listResources();
  const { resourceTemplates } = await local.client.listResourceTemplates();
  const report = await attack(
    {
      name: 'context-aggregator',
      operations,
      factory: gateway.factory,
      api: createApi({ title: 'n', description: 'n', version: '0', routes: [], deps: undefined, log: silentLog }),
      scope: 'user',
      own: 'ann',
      foreign: 'bob',
      secret: SECRET,
      ids,
      words: ['code', 'quokka', 'lighthouse', 'green tea'],
      tools: tools.filter(({ name }) => !own.has(name)).map(toHostileTool),
      uris: (name) => [
        ...resources.map(({ uri }) => uri),
        ...resources.map(({ uri }) => `${uri}?user_id=${name}`),
        ...resourceTemplates.map(({ uriTemplate }) => uriTemplate.replace(/\{[^}]*\}/g, name)),
        ...ids.map((id) => `mirix://memories/${String(id)}?user_id=${name}`),
      ],
      messages: (name) =>
        prompts.flatMap((prompt) => {
          const named = (prompt.arguments ?? []).map((argument) => argument.name);
          const ref = { type: 'ref/prompt', name: prompt.name };
          const args = Object.fromEntries([...named, 'user_id'].map((field) => [field, name]));
          return [
            { method: 'prompts/get', params: { name: prompt.name, arguments: args } },
            { method: 'completion/complete', params: { ref, argument: { name: named[0] ?? 'user_id', value: name } } },
          ];
        }),
    },
    ATTEMPTS,
  );
  expect(report.leaks).toEqual([]);
  expect(report.answered).toBeGreaterThan(ATTEMPTS / 100);
  expect(await readForeign()).toEqual(before);
}, 1_800_000);
