// What a change of the embedder costs those who search meanwhile: a service of the former embedder goes on serving while the command
// makes every vector again, is killed twice and run again; then a service of the new one takes over.
//
//   npm run bench:reembed -- [--documents 50000] [--users 20] [--kills 2] [--searches 300]
//
// The new embedder is an endpoint in this process, whose vectors are hashes of words: what a real model takes comes on top.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startScriptedOpenAi } from '@contextloom/testing/llm';
import { percentile, toTable } from '../../../shared/tooling/bench-figures.mjs';
import { createRandom, toQuery } from './corpus.mjs';
import { load, openEmbedded } from './embedded.mjs';

const { values: flags } = parseArgs({
  options: {
    documents: { type: 'string', default: '50000' },
    users: { type: 'string', default: '20' },
    kills: { type: 'string', default: '2' },
    searches: { type: 'string', default: '300' },
  },
});
const [documents, users, kills, least] = [flags.documents, flags.users, flags.kills, flags.searches].map(Number);
const userOf = (number) => `user-${number % users}`;
const entry = (name) => fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
const environment = { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'silent' };
const say = (line) => process.stderr.write(`${line}\n`);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The HTTP service over the store, with the embedder of `env`. */
async function startService(folder, env) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [entry('service')], {
    env: { ...environment, ...env, KB_PORT: String(port), KB_DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isHealthy = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isHealthy())) {
    if (child.exitCode !== null) throw new Error('the service did not start');
    await sleep(50);
  }
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Searches one after the other until it is stopped, for one user after the other. */
function startSearches(url, random) {
  const [times, failures] = [[], []];
  let isOver = false;
  const search = async (at) => {
    const body = JSON.stringify({ query: toQuery(at, random), top_k: 10, metadata_filter: { user_id: userOf(at) } });
    const from = performance.now();
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/search`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.ok) times.push(performance.now() - from);
    else failures.push(`${response.status} ${text}`);
  };
  const run = async () => {
    for (let at = 0; !isOver; at += 1) await search(at).catch((error) => failures.push(String(error)));
  };
  const ended = run();
  return {
    times,
    failures,
    until: async (count) => {
      while (times.length + failures.length < count) await sleep(20);
    },
    stop: async () => {
      isOver = true;
      await ended;
    },
  };
}

/** Runs the command; with `killAt` it is killed once so many documents are done. Answers how far it said it was. */
async function reembed(folder, env, killAt) {
  const child = spawn(process.execPath, [entry('reembed')], {
    env: { ...environment, ...env, KB_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const from = performance.now();
  let done = 0;
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    done = Number(/^(\d+) of /.exec(line)?.[1] ?? done);
    if (killAt !== undefined && done >= killAt) child.kill('SIGKILL');
  });
  const [code, signal] = await once(child, 'close');
  if (killAt === undefined && code !== 0) throw new Error(`the command ended with code ${code}`);
  return {
    seconds: (performance.now() - from) / 1_000,
    done,
    signal,
    derived: /(\d+) of them derived now/.exec(text)?.[1],
  };
}

async function countDocuments(url) {
  let [found, waiting] = [0, 0];
  for (let user = 0; user < users; user += 1) {
    const { stats } = await (await fetch(`${url}/stats?user_id=user-${user}`)).json();
    found += stats.document_count;
    waiting += stats.waiting_count ?? 0;
  }
  return { found, waiting };
}

const folder = await mkdtemp(join(tmpdir(), 'contextloom-bench-reembed-'));
const endpoint = await startScriptedOpenAi({ dimensions: 384 });
const former = { EMBEDDING_PROVIDER: 'lexical' };
const next = {
  EMBEDDING_PROVIDER: 'openai',
  EMBEDDING_MODEL: 'hashes',
  EMBEDDING_DIMENSIONS: '384',
  EMBEDDING_BASE_URL: endpoint.url,
  EMBEDDING_API_KEY: endpoint.apiKey,
};
const rows = [];
const measured = (phase, { times, failures }) => {
  const cells = [0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(1));
  rows.push([phase, times.length, failures.length, ...cells]);
  if (failures.length > 0) say(`${phase}: ${failures[0]}`);
};
try {
  const knowledgeBase = await openEmbedded(join(folder, 'knowledge-base.sqlite'));
  await load(knowledgeBase, { to: documents, userOf, random: createRandom(3) });
  await knowledgeBase.close();
  const service = await startService(folder, former);
  const warm = startSearches(service.url, createRandom(4));
  await warm.until(users * 2);
  await warm.stop();
  const before = startSearches(service.url, createRandom(5));
  await before.until(least);
  await before.stop();
  measured('before', before);
  const during = startSearches(service.url, createRandom(6));
  for (let kill = 1; kill <= kills; kill += 1) {
    const { seconds, done, signal } = await reembed(folder, next, Math.floor((kill * documents) / (kills + 1)));
    say(`run ${kill}: ${done} documents done after ${seconds.toFixed(1)} s, ended by ${signal}`);
  }
  const last = await reembed(folder, next);
  await during.stop();
  say(`last run: ${last.derived} documents made in ${last.seconds.toFixed(1)} s`);
  // Once the new vectors are in use, the former service says so instead of searching.
  const refused = during.failures.filter((text) => /was filled by the embedder|the index was made by/.test(text));
  const failures = during.failures.filter((text) => !refused.includes(text));
  measured('during', { times: during.times, failures });
  await service.stop();
  const successor = await startService(folder, next);
  const after = startSearches(successor.url, createRandom(7));
  await after.until(least);
  await after.stop();
  measured('after', after);
  const { found, waiting } = await countDocuments(successor.url);
  await successor.stop();
  const head = ['searches', 'answered', 'failed', 'p50 ms', 'p95 ms', 'most ms'];
  process.stdout.write(`${toTable(head, rows)}\n\n`);
  process.stdout.write(`${documents} documents, ${documents - found} lost, ${waiting} without a vector\n`);
  process.stdout.write(`${refused.length} searches refused by the former service between the switch and its end\n`);
  process.stdout.write(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}\n`);
} finally {
  await endpoint.close();
  await rm(folder, { recursive: true, force: true });
}
