// The real processes that a bench measures: a knowledge base over HTTP, the importer, and the aggregator over stdio.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const environment = { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'error' };

export const service = (name, entry = 'server') => join(root, `services/${name}/dist/${entry}.js`);

/** A port that nothing listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a knowledge base over HTTP on a folder; `env` are settings besides its port and folder. */
export async function startKnowledgeBase(folder, env = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [service('knowledge-base', 'service')], {
    env: { ...environment, ...env, KB_PORT: String(port), KB_DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilHealthy(url);
  return { url, child };
}

/** Waits until a server answers `/health`, for ten seconds at most. */
export async function untilHealthy(url) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const healthy = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`the server at ${url} did not start`);
}

/** Imports a file; `args` say whose memories its conversations become. Returns the report and how long it took. */
async function ingest({ url, folder }, file, args, env) {
  const started = performance.now();
  const words = ['import', resolve(file), ...args, '--yes', '--json'];
  const importer = spawn(process.execPath, [service('memory-processor', 'import'), ...words], {
    env: { ...environment, MEMORY_PROCESSOR_DATA_DIR: join(folder, 'journal'), ...env, KB_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let report = '';
  importer.stdout.on('data', (chunk) => {
    report += chunk;
  });
  const [code] = await once(importer, 'close');
  if (code !== 0) throw new Error(`the import ended with code ${code}`);
  return { seconds: (performance.now() - started) / 1000, report: JSON.parse(report) };
}

/** Writes a composition of personas and the knowledge base at an address; the answer is its file. */
export async function writeComposition(folder, url, personas, { contextSources, ...aggregator }) {
  const composition = join(folder, 'mcp_config.json');
  const node = (entry, args, env) => ({ command: process.execPath, args: [entry, ...args], env });
  const servers = personas.map((name) => [
    `persona-${name}`,
    node(service('persona'), ['--persona', name], { LOG_LEVEL: 'error' }),
  ]);
  servers.push(['knowledge-base', node(service('knowledge-base'), [], { KB_URL: url, LOG_LEVEL: 'error' })]);
  if (contextSources?.some(({ server }) => server === 'personal-memory')) {
    const env = { PERSONAL_MEMORY_DATA_DIR: join(folder, 'personal'), MULTI_USER: 'true', LOG_LEVEL: 'error' };
    servers.push(['personal-memory', node(service('personal-memory'), [], env)]);
  }
  await writeFile(composition, JSON.stringify({ mcpServers: Object.fromEntries(servers), aggregator, contextSources }));
  return composition;
}

/**
 * Starts an empty knowledge base and an aggregator over it in a temporary folder. `ingest(file, args, env)` fills it,
 * `buildPrompt(args)` answers text and structured content, `call(name, args)` what a tool answers, `close()` ends both and removes the folder.
 */
export async function startStack(personas, aggregatorSettings = {}, aggregatorArgs = []) {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-bench-'));
  const knowledgeBase = await startKnowledgeBase(join(folder, 'data'));
  const config = await writeComposition(folder, knowledgeBase.url, personas, aggregatorSettings);
  const args = [service('context-aggregator'), '--config', config, ...aggregatorArgs];
  const aggregator = createUpstreams({
    servers: { aggregator: { command: process.execPath, args, env: { LOG_LEVEL: 'error' }, cwd: root } },
    clientName: 'bench',
    clientVersion: '0.1.0',
    log: silentLog,
  });
  return {
    pid: knowledgeBase.child.pid,
    call: async (name, callArgs) => {
      const answer = await aggregator.call('aggregator', name, callArgs, { timeoutMs: 30_000 });
      if (answer.kind !== 'ok') throw new Error(answer.answer ?? answer.reason);
      return answer.value.structured;
    },
    ingest: (file, ingestArgs, env = {}) => ingest({ url: knowledgeBase.url, folder }, file, ingestArgs, env),
    buildPrompt: async (promptArgs) => {
      const answer = await aggregator.call('aggregator', 'build_prompt_with_context', promptArgs, {
        timeoutMs: 30_000,
      });
      if (answer.kind !== 'ok') throw new Error(answer.answer ?? answer.reason);
      if (answer.value.structured.status !== 'complete') throw new Error(JSON.stringify(answer.value.structured));
      return answer.value;
    },
    close: async () => {
      await aggregator.close();
      knowledgeBase.child.kill('SIGTERM');
      if (knowledgeBase.child.exitCode === null) await once(knowledgeBase.child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
