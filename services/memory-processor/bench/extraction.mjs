// How long a conversation takes to be read and saved: by a model that answers after a delay, by the same model when it refuses
// every 20th request with HTTP 429 and `Retry-After: 1`, and by written rules. The endpoint, the knowledge base and each run
// are processes of their own; windows are counted in the knowledge base afterwards, by asking it.
//
//   npm run bench:extraction -- [--windows 400] [--delay 200] [--concurrency 8] [--json FILE]
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { percentile } from '../../../shared/tooling/bench-figures.mjs';

/** Facts that the endpoint answers to each window. */
const FACTS = 2;
const REFUSE_EVERY = 20;
/** The pause that a refusal asks for, in seconds. */
const RETRY_AFTER = 1;
const { values: flags } = parseArgs({
  options: {
    windows: { type: 'string', default: '400' },
    delay: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '8' },
    json: { type: 'string' },
  },
});
const [windows, delayMs, concurrency] = [flags.windows, flags.delay, flags.concurrency].map(Number);

/** Windows of a short conversation. */
const SHORT = 4;
const sides = [
  { name: `model, answers after ${delayMs} ms, a window a call`, refuseEvery: 0, length: windows, groupTokens: 0 },
  { name: `the same, ${windows / SHORT} conversations of ${SHORT}`, refuseEvery: 0, length: SHORT, groupTokens: 0 },
  { name: 'sessions of 1,500 tokens a call', refuseEvery: 0, length: windows, groupTokens: 1_500 },
  { name: `the same, ${windows / SHORT} conversations of ${SHORT}`, refuseEvery: 0, length: SHORT, groupTokens: 1_500 },
  {
    name: `a window a call, every ${REFUSE_EVERY}th request refused`,
    refuseEvery: REFUSE_EVERY,
    length: windows,
    groupTokens: 0,
  },
  { name: 'written rules', refuseEvery: undefined, length: windows, groupTokens: 0 },
];

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

async function end(child) {
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function startKnowledgeBase(dataDir) {
  const child = spawn(process.execPath, [here('../../knowledge-base/dist/service.js')], {
    env: {
      ...process.env,
      KB_PORT: '0',
      KB_DATA_DIR: dataDir,
      CHROMA_URL: '',
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: '1000000',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const { msg, url } = JSON.parse(line);
    if (msg !== 'listening') continue;
    // A pipe that nobody empties would hold the service up.
    child.stderr.resume();
    return { child, url };
  }
  throw new Error('the knowledge base ended before it listened; is it built?');
}

/** The first thing that a child says; fails when it ends without a word. */
function nextMessage(child) {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${child.spawnargs[1]} ended with code ${code}`)));
  });
}

async function startEndpoint(refuseEvery) {
  const child = fork(here('endpoint.mjs'), [String(delayMs), String(refuseEvery)]);
  const address = await nextMessage(child);
  const counts = async () => {
    child.send('counts');
    return nextMessage(child);
  };
  return { child, address, counts };
}

async function listAll(kbUrl, userId) {
  const found = [];
  let cursor;
  do {
    const response = await fetch(`${kbUrl}/documents/list`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata_filter: { user_id: userId }, limit: 200, ...(cursor && { cursor }) }),
    });
    const page = await response.json();
    found.push(...page.documents);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found;
}

/** Windows that are not in the knowledge base with all of their facts. */
async function countLost(kbUrl, userId, facts) {
  const documents = await listAll(kbUrl, userId);
  const counts = new Map();
  for (const { metadata } of documents) counts.set(metadata.episode, (counts.get(metadata.episode) ?? 0) + 1);
  const episodes = documents.filter(({ tags }) => tags.includes('episode'));
  return windows - episodes.filter(({ id }) => (counts.get(id) ?? 0) === facts).length;
}

async function measure({ name, refuseEvery, length, groupTokens }) {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-bench-extraction-'));
  const knowledgeBase = await startKnowledgeBase(folder);
  const isModel = refuseEvery !== undefined;
  const endpoint = isModel ? await startEndpoint(refuseEvery) : undefined;
  try {
    const { url: kbUrl } = knowledgeBase;
    const sizes = { windows, length, groupTokens, concurrency };
    const asked = { kbUrl, userId: 'anna', ...sizes, endpoint: endpoint?.address };
    const run = fork(here('run.mjs'), [JSON.stringify(asked)]);
    const result = await nextMessage(run);
    const { requests = 0, refused = 0, peak = 0, ...tokens } = (await endpoint?.counts()) ?? {};
    const ideal = isModel ? ((requests - refused) * delayMs) / 1_000 / concurrency + refused * RETRY_AFTER : undefined;
    const lost = await countLost(kbUrl, asked.userId, isModel ? FACTS : 0);
    return { name, ...result, requests, refused, peak, ...tokens, ideal, lost };
  } finally {
    if (endpoint !== undefined) await end(endpoint.child);
    await end(knowledgeBase.child);
    await rm(folder, { recursive: true, force: true });
  }
}

const head = ['', 'windows', 'seconds', 'ideal s', 'ratio', 'processor s', 'windows/s', 'window p50 ms', 'p95 ms'];
const further = ['calls', 'tokens in a token of dialogue', 'fixed prefix', 'refused', 'lost windows', 'peak MiB'];

function toRow(result) {
  const { name, seconds, cpuSeconds, ideal, times, calls, refused, lost, peakMiB, input, prefix, dialogue } = result;
  return [
    name,
    windows,
    seconds.toFixed(2),
    ideal?.toFixed(2) ?? '–',
    ideal === undefined ? '–' : (seconds / ideal).toFixed(2),
    cpuSeconds.toFixed(1),
    (windows / seconds).toFixed(1),
    percentile(times, 0.5).toFixed(1),
    percentile(times, 0.95).toFixed(1),
    calls,
    input > 0 ? (input / dialogue).toFixed(2) : '–',
    input > 0 ? `${((100 * prefix) / input).toFixed(0)} %` : '–',
    refused,
    lost,
    peakMiB.toFixed(0),
  ];
}

function print(results) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const all = [...head, ...further];
  const lines = [line(all), line(all.map(() => '---')), ...results.map((result) => line(toRow(result)))];
  process.stdout.write(`${lines.join('\n')}\n\n`);
  process.stdout.write(
    `- ideal: calls × ${delayMs} ms / ${concurrency} at once, and ${RETRY_AFTER} s for each refusal\n`,
  );
  process.stdout.write('- a window: from when it is begun until its facts are judged, pauses included\n');
  process.stdout.write(
    '- tokens: by o200k_base, second questions among them; the fixed prefix is the instructions, which providers cache\n',
  );
  process.stdout.write('- calls: those that were answered; peak memory: of the process that reads and saves\n');
  process.stdout.write(`- Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})\n`);
}

const results = [];
for (const side of sides) {
  process.stderr.write(`${side.name} …\n`);
  results.push(await measure(side));
}
print(results);
if (flags.json !== undefined) {
  const rows = results.map(({ times, ...rest }) => ({
    ...rest,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  }));
  await writeFile(flags.json, `${JSON.stringify(rows, null, 2)}\n`);
}
if (results.some(({ lost, failed, notSaved }) => lost + failed + notSaved > 0)) {
  process.stderr.write('windows or facts were lost\n');
  process.exitCode = 1;
}
