// What searches in threads are for: how long one search takes, and how long the event loop stands still meanwhile, with
// all read in the main thread (before) and with reading threads (after), over the same file, by turns in one run.
//
//   npm run bench:stall -- [--documents 50000] [--large 10000] [--searches 60] [--json FILE]
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { percentile, time, toTable } from '../../../shared/tooling/bench-figures.mjs';
import { createRandom, toQuery } from './corpus.mjs';
import { load, makeFolder, openEmbedded } from './embedded.mjs';

const WARM_UP = 3;
const IN_A_ROW = 20;
const AT_ONCE = 20;
const ROUNDS = 3;
const USERS = 500;
const { values: flags } = parseArgs({
  options: {
    documents: { type: 'string', default: '50000' },
    large: { type: 'string', default: '10000' },
    searches: { type: 'string', default: '60' },
    json: { type: 'string' },
  },
});
const [documents, large, searches] = [flags.documents, flags.large, flags.searches].map(Number);
const random = createRandom(5);
const every = Math.max(1, Math.round(documents / large));
const userOf = (number) => (number % every === 0 ? 'large' : `user-${number % USERS}`);
const sides = { before: { threads: 0 }, after: {} };
const kinds = {
  'one user of a hundred documents': (at) => ({ metadata_filter: { user_id: `user-${(at % (USERS - 1)) + 1}` } }),
  [`one user of ${large} documents`]: () => ({ metadata_filter: { user_id: 'large' } }),
  'no filter': () => ({}),
};
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const toRequest = (at, toFilter) => ({ query: toQuery(at, random), top_k: 10, ...toFilter(at) });

/**
 * Searches one after the other, the sides by turns, so that whatever else the machine does hits both alike; some in a row,
 * so that neither finds the caches as the other left them.
 */
async function searchOneByOne(opened, toFilter) {
  const taken = { before: [], after: [] };
  for (let from = 0; from < searches; from += IN_A_ROW) {
    const requests = Array.from({ length: WARM_UP + IN_A_ROW }, (_, at) => toRequest(from + at, toFilter));
    for (const side of Object.keys(sides)) {
      for (const [at, request] of requests.entries()) {
        const one = await time(() => opened[side].search(request));
        if (at >= WARM_UP) taken[side].push(one);
      }
    }
  }
  return taken;
}

/** Searches at once, and how long the event loop stood still at most. */
async function searchAtOnce(knowledgeBase, toFilter) {
  const [taken, stalls] = [[], []];
  let total = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await pause(20); // The first tick is measured from the one before it.
    const requests = Array.from({ length: AT_ONCE }, (_, at) => toRequest(round * AT_ONCE + at, toFilter));
    total += await time(() =>
      Promise.all(requests.map(async (one) => taken.push(await time(() => knowledgeBase.search(one))))),
    );
    await pause(20);
    delay.disable();
    stalls.push(delay.max / 1e6);
  }
  return { p95: percentile(taken, 0.95), perSecond: (ROUNDS * AT_ONCE * 1_000) / total, stall: Math.max(...stalls) };
}

async function idleStall() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await pause(2_000);
  delay.disable();
  return delay.max / 1e6;
}

const toMiB = () => process.memoryUsage().rss / 2 ** 20;

async function measure(opened) {
  const results = [];
  for (const [what, toFilter] of Object.entries(kinds)) {
    // All threads have started and read what they hold before anything is measured.
    for (const side of Object.keys(sides)) await searchAtOnce(opened[side], toFilter);
    const taken = await searchOneByOne(opened, toFilter);
    for (const side of Object.keys(sides)) {
      const atOnce = await searchAtOnce(opened[side], toFilter);
      const [p50, p95] = [percentile(taken[side], 0.5), percentile(taken[side], 0.95)];
      results.push({ what, side, p50, p95, atOnce });
    }
  }
  return results;
}

function report(results, { loaded, atEnd, idle }) {
  const head = ['search', 'side', 'p50 ms', 'p95 ms', `${AT_ONCE} at once: a second`, 'p95 ms', 'longest stall ms'];
  const rows = results.map(({ what, side, p50, p95, atOnce }) => [
    what,
    side,
    ...[p50, p95, atOnce.perSecond, atOnce.p95, atOnce.stall].map((value) => value.toFixed(1)),
  ]);
  process.stdout.write(`${toTable(head, rows)}\n\n`);
  process.stdout.write(`- ${documents} documents of 384 dimensions, one user of ${large}, ${USERS} others\n`);
  process.stdout.write(`- longest stall of this machine with nothing to do: ${idle.toFixed(1)} ms in two seconds\n`);
  process.stdout.write(`- memory: ${loaded.toFixed(0)} MiB before the searches, ${atEnd.toFixed(0)} MiB after\n`);
  process.stdout.write(`- Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})\n`);
}

const folder = await makeFolder();
const opened = {};
try {
  for (const [side, settings] of Object.entries(sides)) opened[side] = await openEmbedded(folder.file, settings);
  await load(opened.before, { to: documents, userOf, random });
  const [loaded, idle] = [toMiB(), await idleStall()];
  const results = await measure(opened);
  report(results, { loaded, atEnd: toMiB(), idle });
  if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(results, null, 2)}\n`);
} finally {
  for (const knowledgeBase of Object.values(opened)) await knowledgeBase.close();
  await folder.remove();
}
