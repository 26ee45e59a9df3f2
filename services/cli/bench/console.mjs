// What the console's first view asks of the server, with many memories of one user: pages of the timeline, filters, searches, one memory.
// Four memories of five are documents of the knowledge base, the fifth is an event; all texts differ, half of them are Chinese.
// node services/cli/bench/console.mjs [--memories 100000] [--calls 40] [--folder DIR, which is filled once and kept]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { cpuTime, createRandom, percentile } from '../../../shared/tooling/bench-figures.mjs';
import { environment, freePort, service, startKnowledgeBase, untilHealthy } from './stack.mjs';

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '40' },
    folder: { type: 'string' },
  },
});
const [memories, calls] = [Number(values.memories), Number(values.calls)];
const USER = 'ann';
const BATCH = 500;
const FIRST_DAY = Date.UTC(2021, 0, 1);
const HOUR_MS = 3_600_000;
/** The page that the console asks for, and the hits of its searches. */
const [PAGE, HITS] = [100, 50];
const STARTING = new Set(['first page', 'search']);

const syllables = [
  'ba',
  'lo',
  'ri',
  'ten',
  'mu',
  'sa',
  'ker',
  'vi',
  'do',
  'nal',
  'pe',
  'gos',
  'fi',
  'han',
  'zu',
  'cle',
];
const characters =
  '山水风花雪月春夏秋冬东西南北茶酒书画琴棋诗歌江河湖海云雨田园林木金石火土星光夜晨父母兄弟姐妹朋友城乡路桥车船';
const print = (line) => process.stdout.write(`${line}\n`);

/** Frequent ones often, rare ones seldom, roughly as in a language (Zipf's law). */
const pick = (random, count) => Math.floor(count * random() ** 3);
const toWord = (rank) => [...(rank + 16).toString(16)].map((digit) => syllables[Number.parseInt(digit, 16)]).join('');
const toText = (random, isChinese, length) =>
  Array.from({ length }, () =>
    isChinese ? characters[pick(random, characters.length)] : toWord(pick(random, 6_000)),
  ).join(isChinese ? '' : ' ');

const toTime = (number) =>
  new Date(FIRST_DAY + ((number * 7_919) % 40_000) * HOUR_MS + (number % 3_600) * 1_000).toISOString();
const toLength = (random) => 10 + Math.floor(random() * 40);

function toDocument(number, random) {
  const content = toText(random, number % 2 === 1, toLength(random));
  const metadata = { user_id: USER, importance: 1 + (number % 10), occurred_at: toTime(number), memory_type: 'event' };
  return { id: `memory-${number}`, content, tags: ['memory', `tag-${number % 40}`], metadata };
}

function toEvent(number, random) {
  const description = toText(random, number % 2 === 1, toLength(random));
  return {
    event: number + 1,
    event_type: 'other',
    description,
    timestamp: toTime(number),
    tags: [`tag-${number % 40}`],
  };
}

async function fillDocuments(folder, count, random) {
  const { url, child } = await startKnowledgeBase(folder);
  for (let at = 0; at < count; at += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, count - at) }, (_one, step) =>
      toDocument(at + step, random),
    );
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/batch_add`, { method: 'POST', headers, body: JSON.stringify({ documents }) });
    if (!response.ok) throw new Error(await response.text());
    await response.arrayBuffer();
  }
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The aggregator over HTTP with both stores, as the console has it. */
async function startServers(folder) {
  const node = (name, env, ...args) => ({
    command: process.execPath,
    args: [service(name), ...args],
    env: { LOG_LEVEL: 'error', ...env },
  });
  const config = join(folder, 'mcp_config.json');
  const mcpServers = {
    'knowledge-base': node('knowledge-base', { KB_DATA_DIR: join(folder, 'kb') }),
    'personal-memory': node('personal-memory', { PERSONAL_MEMORY_DATA_DIR: join(folder, 'me') }, '--multi-user'),
  };
  await writeFile(config, JSON.stringify({ mcpServers, aggregator: { source_deadline_ms: 60_000 } }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...environment, XDG_DATA_HOME: folder, CONTEXTLOOM_KEYS_FILE: join(folder, 'keys.json') };
  const settings = { ...env, RATE_LIMIT_PER_MINUTE: '1000000' };
  const args = [service('context-aggregator'), '--config', config, '--http', String(port)];
  const child = spawn(process.execPath, args, { env: settings, stdio: ['ignore', 'ignore', 'inherit'] });
  await untilHealthy(url);
  const servers = { aggregator: { url: `${url}/mcp/all` } };
  const upstreams = createUpstreams({ servers, clientName: 'bench', clientVersion: '0', log: silentLog });
  const call = async (name, args) => {
    const answer = await upstreams.call('aggregator', name, { user_id: USER, ...args }, { timeoutMs: 600_000 });
    if (answer.kind !== 'ok') throw new Error(answer.answer ?? answer.reason);
    // A store that did not answer in time makes a call look like a slow or a fast one.
    const missing = answer.value.structured.not_asked ?? [];
    if (missing.length > 0) print(`${name} is partial: ${JSON.stringify(missing)}`);
    return answer.value.structured;
  };
  const close = async () => {
    await upstreams.close();
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { call, close, pid: child.pid };
}

async function fillEvents({ call }, count, random) {
  for (let at = 0; at < count; at += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, count - at) }, (_one, step) => toEvent(at + step, random));
    const data = JSON.stringify({ format: 'contextloom-personal-memory', version: 1, events });
    await call('personal-memory__import_data', { format: 'json', data });
  }
}

/** Every call has other words, another tag, another day: nothing is answered from a cache of answers. */
function toRequests({ call }, random) {
  let cursor;
  const list = (more) => call('list_memories', { limit: PAGE, order: 'newest', ...more });
  const day = () => toTime(Math.floor(random() * memories)).slice(0, 10);
  const tag = () => `tag-${Math.floor(random() * 40)}`;
  const search = (more) => call('recall', { limit: HITS, query: toText(random, random() < 0.5, 4), ...more });
  const own = () => Math.floor(random() * memories * 0.8);
  return {
    'first page': () => list(),
    'next page, one after the other': async () => {
      ({ next_cursor: cursor } = await list({ cursor }));
    },
    'one day': () => {
      const only = day();
      return list({ time_range: `${only}..${only}` });
    },
    'up to a day': () => list({ time_range: `..${day()}` }),
    'from a day on': () => list({ time_range: `${day()}..` }),
    'one tag': () => list({ tag: tag() }),
    'a tag that nothing has': () => list({ tag: 'nothing' }),
    'one kind: documents': () => list({ kind: 'note' }),
    'one kind: events': () => list({ kind: 'event' }),
    'tag and days': () => list({ tag: tag(), time_range: `..${day()}` }),
    search: () => search(),
    'search, one tag': () => search({ tag: tag() }),
    'search, up to a day': () => search({ time_range: `..${day()}` }),
    'search, documents': () => search({ kind: 'note' }),
    'search, events': () => search({ kind: 'event' }),
    'one memory opened': () => call('get_memory', { id: `note:memory-${own()}` }),
    'corrected, then the first page': async () => {
      const text = toText(random, false, 20);
      await call('update_memory', { id: `note:memory-${own()}`, text });
      return list();
    },
  };
}

/** How long calls took, and the processor time that the servers used for one: the first rises with whatever else runs, the second not. */
async function measure(run, pid) {
  const times = [];
  const pids = [pid, ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')];
  const readCpu = () => pids.reduce((sum, one) => sum + (cpuTime(one) ?? 0), 0);
  const before = readCpu();
  for (let at = 0; at < calls; at += 1) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return { times, cpu: (readCpu() - before) / calls };
}

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'contextloom-bench-console-')));
const isFilled = existsSync(join(folder, 'kb'));
let servers;
try {
  const random = createRandom(30);
  const documents = Math.round(memories * 0.8);
  const began = performance.now();
  await mkdir(folder, { recursive: true });
  if (!isFilled) await fillDocuments(join(folder, 'kb'), documents, random);
  servers = await startServers(folder);
  if (!isFilled) await fillEvents(servers, memories - documents, random);
  print(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
  print(
    `${documents} documents and ${memories - documents} events of one user, ${((performance.now() - began) / 1000).toFixed(0)} s to fill`,
  );
  print(
    `one call at a time, ${calls} of each; milliseconds over HTTP; load average ${loadavg()[0].toFixed(1)} at the beginning`,
  );
  print('');
  print('| asked for | p50 | p95 | processor time |');
  print('|---|---|---|---|');
  const requests = Object.entries(toRequests(servers, random));
  // The first of each starts servers and reads indexes: such a call is one of a kind, and has a line of its own.
  for (const [name, run] of requests.filter(([one]) => STARTING.has(one))) {
    const once = performance.now();
    await run();
    print(`| ${name}, the first after the start | ${(performance.now() - once).toFixed(0)} | | |`);
  }
  for (const [name, run] of requests) {
    const { times, cpu } = await measure(run, servers.pid);
    const columns = [percentile(times, 0.5), percentile(times, 0.95), cpu].map((time) => time.toFixed(0));
    print(`| ${name} | ${columns.join(' | ')} |`);
  }
} finally {
  await servers?.close();
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}
