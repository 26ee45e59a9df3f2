// What keys cost, and whether they keep applications apart: two applications with a key each, 200 users each, on one set of servers under
// a mixed load, in blocks that alternate with the same load on servers without keys.
// node services/cli/bench/access.mjs [--seconds 60] [--block 5] [--users 200] [--concurrency 4]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addKey } from '@contextloom/access';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { cpuTime, percentile } from '../../../shared/tooling/bench-figures.mjs';
import { environment, freePort, service, startKnowledgeBase, untilHealthy, writeComposition } from './stack.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    block: { type: 'string', default: '5' },
    users: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '4' },
  },
});
const [seconds, block, users, concurrency] = ['seconds', 'block', 'users', 'concurrency'].map((name) =>
  Number(options[name]),
);
const APPLICATIONS = ['shop', 'clinic'];
const TOPICS = ['tea', 'trains', 'allergies', 'music', 'gardens'];

const print = (line) => process.stdout.write(`${line}\n`);
const usersOf = (application) => Array.from({ length: users }, (_, at) => `${application}-${at}`);
/** Stands in every text of a user, and in nobody else's. */
const markOf = (user) => `mark<${user}>`;

/** One set of servers; with keys, one for each application that reaches its users alone. */
async function startServers(hasKeys) {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-bench-access-'));
  const file = join(folder, 'keys.json');
  const keys = {};
  for (const name of hasKeys ? APPLICATIONS : []) {
    const request = { name, users: usersOf(name), scopes: ['read', 'write'] };
    keys[name] = (await addKey(request, { file, clock: () => new Date() })).key;
  }
  const env = { CONTEXTLOOM_KEYS_FILE: file, RATE_LIMIT_PER_MINUTE: '1000000' };
  const knowledgeBase = await startKnowledgeBase(join(folder, 'data'), env);
  const config = await writeComposition(folder, knowledgeBase.url, ['uozumi'], { source_deadline_ms: 30_000 });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const aggregator = spawn(
    process.execPath,
    [service('context-aggregator'), '--config', config, '--http', String(port)],
    {
      env: { ...environment, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  await untilHealthy(url);
  const headersOf = (application) => (hasKeys ? { authorization: `Bearer ${keys[application]}` } : {});
  const clients = Object.fromEntries(
    APPLICATIONS.map((name) => [name, { url: `${url}/mcp`, headers: headersOf(name) }]),
  );
  const upstreams = createUpstreams({ servers: clients, clientName: 'bench', clientVersion: '0', log: silentLog });
  return {
    pids: [knowledgeBase.child.pid, aggregator.pid],
    post: async (application, path, body) => {
      const headers = { 'content-type': 'application/json', ...headersOf(application) };
      const response = await fetch(`${knowledgeBase.url}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${text}`);
      return text;
    },
    prompt: async (application, user_id, user_query) => {
      const args = { persona_name: 'uozumi', user_id, user_query };
      const answer = await upstreams.call(application, 'build_prompt_with_context', args, { timeoutMs: 30_000 });
      if (answer.kind !== 'ok') throw new Error(answer.answer ?? answer.reason);
      return answer.value.text;
    },
    close: async () => {
      await upstreams.close();
      for (const child of [aggregator, knowledgeBase.child]) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const toDocument = (user, topic, number) => ({
  content: `${markOf(user)} talks about ${topic}, for the ${number}th time.`,
  tags: ['memory'],
  metadata: { user_id: user, importance: 5 },
});

async function fill(servers) {
  for (const application of APPLICATIONS) {
    const documents = usersOf(application).flatMap((user) => TOPICS.map((topic, at) => toDocument(user, topic, at)));
    for (let at = 0; at < documents.length; at += 250) {
      await servers.post(application, '/batch_add', { documents: documents.slice(at, at + 250) });
    }
  }
}

/** The load: of a hundred calls, so many of each kind. */
const kinds = [
  {
    name: 'search',
    share: 50,
    call: ({ post }, application, user, topic) => post(application, '/search', { query: topic, user_id: user }),
  },
  {
    name: 'list',
    share: 15,
    call: ({ post }, application, user) => post(application, '/documents/list', { user_id: user }),
  },
  {
    name: 'add',
    share: 15,
    call: ({ post }, application, user, topic, number) => post(application, '/add', toDocument(user, topic, number)),
  },
  { name: 'prompt', share: 20, call: ({ prompt }, application, user, topic) => prompt(application, user, topic) },
];
const wheel = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));

/** Bytes of marks that are somebody else's. */
const foreignBytes = (text, user) =>
  (text.match(/mark<[^>]*>/g) ?? [])
    .filter((mark) => mark !== markOf(user))
    .reduce((sum, mark) => sum + Buffer.byteLength(mark), 0);

/** Of all servers that answer over HTTP; what a busy machine makes of waiting is not in it. */
const cpuMs = (pids) => pids.reduce((sum, pid) => sum + (cpuTime(pid) ?? Number.NaN), 0);

/** Runs the load for a block, and notes how long each call took and what was foreign in its answer. */
async function runBlock(servers, notes) {
  const before = cpuMs(servers.pids);
  const end = performance.now() + block * 1_000;
  const work = async () => {
    while (performance.now() < end) {
      notes.count += 1;
      // The same calls in the same order on both sets of servers.
      const [at, kind] = [notes.count, wheel[(notes.count * 37) % wheel.length]];
      const application = APPLICATIONS[at % APPLICATIONS.length];
      const user = `${application}-${(at * 13) % users}`;
      const began = performance.now();
      const text = await kind.call(servers, application, user, TOPICS[at % TOPICS.length], at);
      notes.times[kind.name].push(performance.now() - began);
      notes.foreign += foreignBytes(text, user);
      notes.own += text.includes(markOf(user)) ? 1 : 0;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  notes.cpu += cpuMs(servers.pids) - before;
}

const newNotes = () => ({
  count: 0,
  cpu: 0,
  foreign: 0,
  own: 0,
  times: Object.fromEntries(kinds.map(({ name }) => [name, []])),
});

const sets = [await startServers(false), await startServers(true)];
try {
  for (const servers of sets) await fill(servers);
  for (const servers of sets) await runBlock(servers, newNotes()); // What the first calls load is not measured.
  const notes = sets.map(newNotes);
  for (let done = 0; done < seconds; done += block) {
    // Which goes first changes, so that a drift of the machine meets both alike.
    for (const at of (done / block) % 2 === 0 ? [0, 1] : [1, 0]) await runBlock(sets[at], notes[at]);
  }
  const [open, keyed] = notes;
  const ms = (value) => value.toFixed(2);
  print(
    `${seconds} s with keys and without, in blocks of ${block} s; ${concurrency} calls at once; 2 x ${users} users\n`,
  );
  print('| calls | without keys: p50 / p95 ms | with keys: p50 / p95 ms | p95 more |');
  print('| --- | --- | --- | --- |');
  for (const name of [...kinds.map((kind) => kind.name), 'all']) {
    const [a, b] = [open, keyed].map(({ times }) => (name === 'all' ? Object.values(times).flat() : times[name]));
    const more = percentile(b, 0.95) - percentile(a, 0.95);
    const shown = [a, b].map(
      (times) => `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.95))} (${times.length})`,
    );
    print(`| ${name} | ${shown.join(' | ')} | ${ms(more)} ms |`);
  }
  const [without, withKeys] = [open, keyed].map(({ cpu, count }) => cpu / count);
  print(`\nprocessor time of the servers for a call: ${ms(without)} ms without keys, ${ms(withKeys)} ms with keys`);
  print(
    `foreign bytes with keys: ${keyed.foreign}, in ${keyed.count} answers, ${keyed.own} of which told something of the user`,
  );
  if (keyed.foreign > 0) process.exitCode = 1;
} finally {
  for (const servers of sets) await servers.close();
}
