import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@contextloom/contracts';
import { createUpstreams, installationRoot, type ServerEntry } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { renderStatus } from '../src/output/tables/status-table.ts';
import { createStyle } from '../src/output/text/style.ts';

import { runCli } from './fixtures/run-cli.ts';

/** What each store takes a text by. */
const ADDS: Readonly<Record<string, readonly [tool: string, args: JsonObject]>> = {
  'knowledge-base': ['add_document', { content: 'Rex is a terrier.' }],
  'personal-memory': ['add_event', { event_type: 'other', description: 'Rex barked.' }],
  'agent-memory': ['add_entry', { content: 'Rex is a terrier.' }],
  'project-memory': ['mem.ingest_memory', { project_key: 'zoo', content_type: 'insight', content: 'Rex barks.' }],
};

let folder: string;
let endpoint: ScriptedOpenAi;
let config: string;

/** The endpoint tells the size of its vectors, and is away for everything else. */
const startEndpoint = () =>
  startScriptedOpenAi({
    dimensions: 48,
    embeddings: ({ body }) =>
      [body.input].flat().includes('size') ? { kind: 'embed' } : { kind: 'error', status: 503, retryAfter: '0' },
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-waiting-'));
  endpoint = await startEndpoint();
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    LOG_LEVEL: 'silent',
    CONTEXTLOOM_DATA_DIR: folder,
    KB_DATA_DIR: join(folder, 'knowledge'),
    PERSONAL_MEMORY_DATA_DIR: join(folder, 'personal'),
    AGENT_MEMORY_WORKSPACE: join(folder, 'workspace'),
    AGENT_MEMORY_DATA_DIR: join(folder, 'agent'),
    PROJECT_MEMORY_DATA_DIR: join(folder, 'project'),
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_MODEL: 'm',
    EMBEDDING_BASE_URL: endpoint.url,
    EMBEDDING_API_KEY: endpoint.apiKey,
  };
  const servers: Readonly<Record<string, ServerEntry>> = Object.fromEntries(
    Object.keys(ADDS).map((name) => {
      const script = join(installationRoot, `services/${name}/dist/server.js`);
      return [name, { command: process.execPath, args: [script], env, cwd: folder }];
    }),
  );
  const upstreams = createUpstreams({ servers, clientName: 'test', clientVersion: randomUUID(), log: silentLog });
  for (const [name, [tool, args]] of Object.entries(ADDS)) {
    expect(await upstreams.call(name, tool, args, { timeoutMs: 200_000 })).toMatchObject({ kind: 'ok' });
  }
  await upstreams.close();
  config = join(folder, 'mcp_config.json');
  await writeFile(config, JSON.stringify({ mcpServers: servers, aggregator: { source_deadline_ms: 200_000 } }));
});
afterAll(async () => {
  await endpoint.close();
  await rm(folder, { recursive: true });
});

describe('what is stored while the embedding endpoint is away', () => {
  it('is counted for each store by status', async () => {
    const { stdout } = await runCli(['--config', config, 'status', '--json']);
    const status = JSON.parse(stdout);
    for (const name of Object.keys(ADDS)) expect(status.components[name]).toMatchObject({ waiting_count: 1 });
    const table = renderStatus(status, { style: createStyle(false), width: 100 });
    expect(table).toMatch(/│ server +│ service +│ status +│ tools +│ waiting +│/);
    expect(table).toMatch(/│ agent-memory +│ running +│ +\d+ +│ +1 +│/);
  });

  it('is counted for each store by doctor', async () => {
    const { stdout } = await runCli(['--config', config, 'doctor', '--json']);
    expect(stdout.match(/; 1 text waits for its vector, found by words until then/g)).toHaveLength(4);
  });
});
