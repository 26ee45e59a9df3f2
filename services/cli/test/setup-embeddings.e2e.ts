import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@contextloom/contracts';
import { toModelFolder } from '@contextloom/llm/local-model';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { makeTinyModel, type ScriptedHub, startScriptedHub } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toHome } from './fixtures/home.ts';
import { spawnCli } from './fixtures/spawn-cli.ts';

// The library is installed once into the user's cache, some 50 MB from npm's registry; the model is made here.
const dataDir = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'contextloom', 'embeddings');
const MODEL = `tests/tiny-e5-${process.pid}`;
const meanings = [
  ['laptop', 'notebook'],
  ['bread', 'loaf'],
  ['bought', 'purchased'],
];
const LAPTOP = 'Anna bought a laptop';
const QUERY = 'purchased notebook';

const server = (name: string): string => fileURLToPath(new URL(`../../${name}/dist/server.js`, import.meta.url));

let hub: ScriptedHub;
let folder: string;
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-setup-'));
  hub = await startScriptedHub(MODEL, makeTinyModel({ meanings }));
  settings = { EMBEDDING_DATA_DIR: dataDir, EMBEDDING_MODEL: MODEL, EMBEDDING_BASE_URL: hub.address };
  await mkdir(dataDir, { recursive: true });
  const first = spawnCli(['setup', 'embeddings', '--json'], settings);
  expect(await first.document()).toMatchObject({ success: true, model: { name: MODEL, outcome: 'downloaded' } });
  expect(await first.ended).toBe(0);
  // From here on nothing may be fetched.
  await hub.close();
});

afterAll(async () => {
  await rm(toModelFolder(dataDir, MODEL), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

/** The stores with a model of this machine, as an MCP client has them. */
function startStores() {
  const env = { ...settings, EMBEDDING_PROVIDER: 'local', LOG_LEVEL: 'error' };
  const entry = (name: string, variables: Readonly<Record<string, string>>) => ({
    command: process.execPath,
    args: [server(name)],
    cwd: folder,
    env: { ...env, ...variables },
  });
  const upstreams = createUpstreams({
    servers: {
      'knowledge-base': entry('knowledge-base', { KB_DATA_DIR: join(folder, 'knowledge') }),
      'personal-memory': entry('personal-memory', { PERSONAL_MEMORY_DATA_DIR: join(folder, 'personal') }),
      'project-memory': entry('project-memory', { PROJECT_MEMORY_DATA_DIR: join(folder, 'project') }),
      'agent-memory': entry('agent-memory', {
        AGENT_MEMORY_WORKSPACE: join(folder, 'workspace'),
        AGENT_MEMORY_DATA_DIR: join(folder, 'agent'),
      }),
    },
    clientName: 'test',
    clientVersion: '0.1.0',
    log: silentLog,
  });
  const call = async (name: string, tool: string, args: JsonObject): Promise<string> =>
    JSON.stringify(await upstreams.call(name, tool, args, { timeoutMs: 60_000 }));
  return { call, close: () => upstreams.close() };
}

/**
 * Asks until the answer has the text. Loading the model may take longer than a search or a text waits for it; what was stored
 * meanwhile gets its vector a minute later.
 */
async function untilFound(ask: () => Promise<string>): Promise<string> {
  for (const deadline = Date.now() + 150_000; ; await sleep(500)) {
    const answer = await ask();
    if (answer.includes(LAPTOP) || Date.now() > deadline) return answer;
  }
}

describe('contextloom setup embeddings', () => {
  it('does nothing the second time', async () => {
    const again = spawnCli(['setup', 'embeddings', '--json'], settings);
    expect(await again.document()).toMatchObject({
      library: { outcome: 'already there' },
      model: { outcome: 'already there' },
    });
    expect(await again.ended).toBe(0);
  });

  it('lets every store find what is meant, with words that it has nowhere', async () => {
    const stores = startStores();
    try {
      for (const content of [LAPTOP, 'The loaf is in the oven']) {
        await stores.call('knowledge-base', 'add_document', { content });
        await stores.call('personal-memory', 'add_event', { event_type: 'other', description: content });
        await stores.call('agent-memory', 'add_entry', { content });
        await stores.call('project-memory', 'mem.ingest_memory', {
          project_key: 'p',
          content_type: 'insight',
          content,
        });
      }
      const found = await Promise.all([
        untilFound(() => stores.call('knowledge-base', 'search_documents', { query: QUERY })),
        untilFound(() => stores.call('personal-memory', 'search_events', { query: QUERY })),
        untilFound(() => stores.call('agent-memory', 'search_entries', { query: QUERY })),
        untilFound(() => stores.call('project-memory', 'mem.search', { project_key: 'p', query: QUERY })),
      ]);
      for (const answer of found) {
        expect(answer).toContain(LAPTOP);
        // A search of documents answers in order, whatever is far from the question last.
        expect(`${answer} oven`.indexOf(LAPTOP)).toBeLessThan(`${answer} oven`.indexOf('oven'));
      }
    } finally {
      await stores.close();
    }
  });

  it('is missed by the doctor when a file of the model is not what was downloaded', async () => {
    const weights = join(toModelFolder(dataDir, MODEL), 'onnx', 'model_quantized.onnx');
    const before = await readFile(weights);
    await writeFile(weights, Buffer.concat([before, Buffer.from([0])]));
    const config = join(folder, 'mcp_config.json');
    const env = { ...settings, EMBEDDING_PROVIDER: 'local', KB_DATA_DIR: join(folder, 'other') };
    const entry = { command: process.execPath, args: [server('knowledge-base')], env };
    await writeFile(config, JSON.stringify({ mcpServers: { 'knowledge-base': entry } }));
    const doctor = spawnCli(['doctor', '--config', config, '--json'], toHome(folder));
    const report = JSON.stringify(await doctor.document());
    await doctor.ended;
    await writeFile(weights, before);
    expect(report).toContain('model_quantized.onnx is not what was downloaded');
    expect(report).toContain('contextloom setup embeddings');
  });
});
