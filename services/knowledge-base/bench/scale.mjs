// The knowledge base of an application with many users, on SQLite and on Postgres: how fast memories are stored and found as they
// grow, of people who have some and of one who has a tenth of all, and how much room they take.
//
//   npm run bench:scale -- [--sizes 10000,100000] [--per-user 10] [--calls 200] [--at-once 16] [--minutes 20] [--engines sqlite,postgres] [--url URL]
//
// Without --url Postgres is a server of its own, as this machine's package installs it. After --minutes no further size is begun.
import { cpus } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createRandom, inParallel, percentile, time, toTable } from '../../../shared/tooling/bench-figures.mjs';
import { toDocument, toQuery } from './corpus.mjs';
import { openScaleSide } from './scale-sides.mjs';

const BATCH = 1_000;
/** One of so many memories is the one person's who has many. */
const MANY = 10;
const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    'per-user': { type: 'string', default: '10' },
    calls: { type: 'string', default: '200' },
    'at-once': { type: 'string', default: '16' },
    minutes: { type: 'string', default: '20' },
    engines: { type: 'string', default: 'sqlite,postgres' },
    url: { type: 'string' },
  },
});
const sizes = flags.sizes.split(',').map(Number);
const [perUser, calls, atOnce, minutes] = [flags['per-user'], flags.calls, flags['at-once'], flags.minutes].map(Number);
const numbers = (count) => Array.from({ length: count }, (_, at) => at);

const userOf = (number) => (number % MANY === 0 ? 'many' : `user-${Math.floor(number / perUser)}`);
/** Another person at each call, far from the one before: what is in memory of others is of no use. */
const someUser = (at, size) => userOf(((at * 7_919) % (size / MANY)) * MANY + 1);

async function load({ knowledgeBase, name }, from, to, random) {
  for (let first = from; first < to; first += BATCH) {
    const some = numbers(Math.min(BATCH, to - first)).map((at) => toDocument(first + at, userOf(first + at), random));
    await knowledgeBase.add(some);
    process.stderr.write(`\r${name}: ${first + some.length} memories`);
  }
  process.stderr.write('\n');
}

async function measure({ knowledgeBase, diskBytes }, size, random) {
  const search = (at, user) =>
    knowledgeBase.search({ query: toQuery(at, random), top_k: 10, metadata_filter: { user_id: user } });
  const each = async (work) => {
    const taken = [];
    for (const at of numbers(calls)) taken.push(await time(() => work(at)));
    return [percentile(taken, 0.5), percentile(taken, 0.95)];
  };
  const first = await time(() => search(0, 'many'));
  const found = await each((at) => search(at, someUser(at, size)));
  const many = await each((at) => search(at, 'many'));
  const together = await time(() => inParallel(numbers(4 * calls), atOnce, (at) => search(at, someUser(at, size))));
  const toNew = (at) => ({ ...toDocument(at, someUser(at, size), random), doc_id: undefined });
  const stored = await each((at) => knowledgeBase.add([toNew(at)]));
  const storing = await time(() => inParallel(numbers(calls), atOnce, (at) => knowledgeBase.add([toNew(at)])));
  const perSecond = (count, taken) => (1_000 * count) / taken;
  const bytes = [await diskBytes(), process.memoryUsage().rss];
  return [
    ...[...found, perSecond(4 * calls, together), first, ...many, ...stored, perSecond(calls, storing)],
    ...bytes.map((one) => one / 2 ** 20),
  ];
}

const HEAD = [
  ...['memories', 'engine', 'filled /s', 'search p50', 'p95', 'searches /s', 'first of many', 'of many p50', 'p95'],
  ...['store p50', 'p95', 'stores /s', 'MB on disk', 'MB in memory'],
];
const started = performance.now();
const rows = [];
for (const engine of flags.engines.split(',')) {
  const random = createRandom(6);
  const side = await openScaleSide(engine, flags.url);
  const until = started + minutes * 60_000;
  try {
    for (const [at, size] of sizes.entries()) {
      if (at > 0 && performance.now() > until) break;
      const from = sizes[at - 1] ?? 0;
      const filling = await time(() => load(side, from, size, random));
      const figures = [(1_000 * (size - from)) / filling, ...(await measure(side, size, random))];
      rows.push([size, side.name, ...figures.map((one) => (one < 10 ? one.toFixed(1) : one.toFixed(0)))]);
    }
  } finally {
    await side.close();
  }
}
process.stdout.write(`${toTable(HEAD, rows)}\n`);
process.stdout.write(
  `\n- times in ms; ${perUser} memories a user, and one user with a tenth of all; "first of many" is that user's first search; ${atOnce} calls at once; ten results a search; Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})\n`,
);
