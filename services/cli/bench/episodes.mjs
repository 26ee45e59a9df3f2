// What a search and a prompt cost with many episodes of one user, which stand in sequences as a memory processor stores them:
// conversations of eight windows, six turns each. The turns are those of two people's conversations, in English and Chinese, or of
// LoCoMo-shaped files, with some words of each exchanged for others of the same texts, so that no two are alike.
//
//   npm run bench:episodes [-- --episodes 100000 --calls 100 --folder DIR, which is filled once and kept] [locomo-shaped.json]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeEpisode } from '@contextloom/contracts';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { cpuTime, createRandom, peakMemory, percentile } from '../../../shared/tooling/bench-figures.mjs';
import { environment, freePort, service, startKnowledgeBase, untilHealthy } from './stack.mjs';

const { values, positionals } = parseArgs({
  options: {
    episodes: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '100' },
    folder: { type: 'string' },
  },
  allowPositionals: true,
});
const [episodes, calls] = [Number(values.episodes), Number(values.calls)];
const USER = 'ann';
const [TURNS, WINDOWS, BATCH, WARM_UP] = [6, 8, 500, 5];
/** The share of a turn's longer words that are exchanged. */
const EXCHANGED = 0.3;
const [FIRST_DAY, HOUR_MS] = [Date.UTC(2021, 0, 1), 3_600_000];
const print = (line) => process.stdout.write(`${line}\n`);

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

/** The turns and questions of LoCoMo-shaped data. */
const toTexts = (data) =>
  [data].flat().map(({ conversation, qa }) => ({
    turns: Object.values(conversation).filter(Array.isArray).flat(),
    questions: qa.map(({ question }) => question),
  }));

async function readOwnTexts() {
  const sets = await readJson(new URL('sets/everyday.json', import.meta.url));
  return Promise.all(
    sets.map(async ({ conversation, questions }) => {
      const { sessions } = await readJson(new URL(`sets/${conversation}`, import.meta.url));
      return { turns: sessions.flatMap(({ turns }) => turns), questions: questions.flatMap(({ texts }) => texts) };
    }),
  );
}

async function readTexts() {
  const named = await Promise.all(positionals.map(async (file) => toTexts(await readJson(file))));
  const parts = named.length > 0 ? named.flat() : await readOwnTexts();
  return { turns: parts.flatMap(({ turns }) => turns), questions: parts.flatMap(({ questions }) => questions) };
}

const longer = /\p{Script=Han}{2}|[\p{L}\p{M}]{5,}/gu;

/** Turns of windows: whole passages of the texts, some words of which others take the place of, as often as texts have them. */
function createToTurns(all, random) {
  const words = all.map(({ text }) => text.match(longer) ?? []);
  const [latin, han] = [false, true].map((isHan) =>
    words.flat().filter((word) => /\p{Script=Han}/u.test(word) === isHan),
  );
  const pick = (list) => list[Math.floor(random() * list.length)];
  const exchange = (word) => {
    if (random() >= EXCHANGED) return word;
    return pick(/\p{Script=Han}/u.test(word) ? han : latin) ?? word;
  };
  return () => {
    const first = Math.floor(random() * (all.length - TURNS));
    return all
      .slice(first, first + TURNS)
      .map(({ speaker, text }) => ({ speaker, text: text.replace(longer, exchange) }));
  };
}

function toDocument(number, toTurns) {
  const conversation = Math.floor(number / WINDOWS);
  const at = new Date(FIRST_DAY + conversation * 3 * HOUR_MS).toISOString();
  const metadata = { user_id: USER, importance: 3, memory_type: 'event', occurred_at: at, extractor: 'episodes' };
  const place = { session: 'D1', sequence: `conversation-${conversation}`, position: number % WINDOWS };
  const content = writeEpisode(toTurns(), at.slice(0, 10));
  return {
    id: `episode-${number}`,
    content,
    tags: ['memory'],
    metadata: { ...metadata, ...place, turns: 'D1:1-D1:6' },
  };
}

async function fill(folder, texts) {
  const { url, child } = await startKnowledgeBase(folder);
  const toTurns = createToTurns(texts, createRandom(38));
  for (let at = 0; at < episodes; at += BATCH) {
    const count = Math.min(BATCH, episodes - at);
    const documents = Array.from({ length: count }, (_one, step) => toDocument(at + step, toTurns));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/batch_add`, { method: 'POST', headers, body: JSON.stringify({ documents }) });
    if (!response.ok) throw new Error(await response.text());
    await response.arrayBuffer();
    process.stderr.write(`\r${at + count} episodes`);
  }
  process.stderr.write('\n');
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The aggregator over HTTP with a persona and the knowledge base, which it starts. */
async function startServers(folder) {
  const node = (name, env, ...args) => ({
    command: process.execPath,
    args: [service(name), ...args],
    env: { LOG_LEVEL: 'error', ...env },
  });
  const config = join(folder, 'mcp_config.json');
  const mcpServers = {
    'persona-marlow': node('persona', {}, '--persona', 'marlow'),
    'knowledge-base': node('knowledge-base', { KB_DATA_DIR: join(folder, 'kb') }),
  };
  await writeFile(config, JSON.stringify({ mcpServers, aggregator: { source_deadline_ms: 60_000 } }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...environment, XDG_DATA_HOME: folder, CONTEXTLOOM_KEYS_FILE: join(folder, 'keys.json') };
  const args = [service('context-aggregator'), '--config', config, '--http', String(port)];
  const settings = { ...env, RATE_LIMIT_PER_MINUTE: '1000000' };
  const child = spawn(process.execPath, args, { env: settings, stdio: ['ignore', 'ignore', 'inherit'] });
  await untilHealthy(url);
  const servers = { aggregator: { url: `${url}/mcp/all` } };
  const upstreams = createUpstreams({ servers, clientName: 'bench', clientVersion: '0', log: silentLog });
  const call = async (name, args) => {
    const answer = await upstreams.call('aggregator', name, args, { timeoutMs: 600_000 });
    if (answer.kind !== 'ok') throw new Error(answer.answer ?? answer.reason);
    return answer.value.structured;
  };
  const close = async () => {
    await upstreams.close();
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { call, close, pid: child.pid };
}

const childrenOf = async (pid) =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);

/** How long calls took, and the processor time of all servers for one: the first rises with whatever else runs, the second not. */
async function measure({ run, before = () => undefined }, pids) {
  const readCpu = () => pids.reduce((sum, one) => sum + (cpuTime(one) ?? 0), 0);
  for (let at = 0; at < WARM_UP; at += 1) await run(at);
  const times = [];
  let cpu = 0;
  for (let at = WARM_UP; at < WARM_UP + calls; at += 1) {
    await before(at);
    const [began, used] = [performance.now(), readCpu()];
    await run(at);
    times.push(performance.now() - began);
    cpu += readCpu() - used;
  }
  return { times, cpu: cpu / calls };
}

const { turns, questions } = await readTexts();
const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'contextloom-bench-episodes-')));
let servers;
try {
  const began = performance.now();
  if (!existsSync(join(folder, 'kb'))) {
    await mkdir(folder, { recursive: true });
    await fill(join(folder, 'kb'), turns);
  }
  print(
    `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}; load average ${loadavg()[0].toFixed(1)}`,
  );
  print(`${episodes} episodes of one user, ${((performance.now() - began) / 1000).toFixed(0)} s to fill`);
  servers = await startServers(folder);
  const { call, pid } = servers;
  // A step that shares no divisor with the number of questions: each is asked once before one is asked again.
  const questionAt = (at) => questions[(at * 101) % questions.length];
  const search = (at) =>
    call('knowledge-base__search_documents', {
      query: questionAt(at),
      top_k: 10,
      metadata_filter: { user_id: USER },
    });
  const build = (at) =>
    call('build_prompt_with_context', { persona_name: 'marlow', user_id: USER, user_query: questionAt(at) });
  // The same document again: the store stays as large as it is.
  const write = (at) => {
    const { content, tags, metadata } = toDocument(0, () => [{ speaker: 'Ann', text: `Note ${at}` }]);
    return call('knowledge-base__add_document', { doc_id: 'note', content, tags, metadata });
  };
  const requests = {
    search_documents: { run: search },
    build_prompt_with_context: { run: build },
    'search_documents after a write': { run: search, before: write },
    'build_prompt_with_context after a write': { run: build, before: write },
  };
  const first = performance.now();
  await search(0);
  print(`the first search after the start: ${(performance.now() - first).toFixed(0)} ms\n`);
  const pids = [pid, ...(await childrenOf(pid))];
  print('| asked for | p50 ms | p95 ms | processor time ms |\n|---|---|---|---|');
  for (const [name, request] of Object.entries(requests)) {
    const { times, cpu } = await measure(request, pids);
    const columns = [percentile(times, 0.5), percentile(times, 0.95), cpu].map((time) => time.toFixed(0));
    print(`| ${name} | ${columns.join(' | ')} |`);
  }
  const peaks = pids.map((one) => peakMemory(one)?.toFixed(0));
  print(`\n- ${calls} calls each, one at a time, over HTTP; peak memory of the servers in MiB: ${peaks.join(', ')}`);
} finally {
  await servers?.close();
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}
