// The knowledge base of an application with many users, on SQLite, Postgres and Chroma: how fast memories are stored and found and
// prompts are built as they grow, with one process and with several, and how much room they take.
//
//   npm run bench:scale -- [--sizes 100000,500000,2000000] [--users 10000] [--calls 200] [--seconds 3] [--processes 1,2,4]
//                          [--engines sqlite,postgres] [--url URL] [--keep FOLDER] [--fill]
//
// Without --url Postgres is a server of its own, as this machine's package installs it. With --keep (and --url, for Postgres) the databases
// `scale_<size>` and the files in the folder stay, and are taken as they are next time; --fill fills them and measures nothing. The first size is
// stored by the knowledge base; a multiple of the one before is made of copies in the database, each for another user. 2,000,000 take 5 GB an
// engine. Chroma is asked at no more than 100,000.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom, measure, time, toTable } from '../../../shared/tooling/bench-figures.mjs';
import { toDocument, toQuery } from './corpus.mjs';
import { createCalls, toUser } from './scale-load.mjs';
import { measurePrompts } from './scale-prompt.mjs';
import { openScaleKnowledgeBase, openScaleSide } from './scale-sides.mjs';

const BATCH = 1_000;
const MOST_OF_CHROMA = 100_000;
const AT_ONCE = 8;
const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100000,500000,2000000' },
    users: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '3' },
    processes: { type: 'string', default: '1,2,4' },
    engines: { type: 'string', default: 'sqlite,postgres' },
    url: { type: 'string' },
    keep: { type: 'string' },
    fill: { type: 'boolean', default: false },
  },
});
const [sizes, processes] = [flags.sizes, flags.processes].map((list) => list.split(',').map(Number));
const [users, callCount, seconds] = [flags.users, flags.calls, flags.seconds].map(Number);

/** Stores memories number `from` to `to`; answers how many a second. */
async function fill(name, knowledgeBase, from, to) {
  const random = createRandom(from + 6);
  const taken = await time(async () => {
    for (let first = from; first < to; first += BATCH) {
      const count = Math.min(BATCH, to - first);
      await knowledgeBase.add(
        Array.from({ length: count }, (_, at) => toDocument(first + at, toUser(first + at, users), random)),
      );
      process.stderr.write(`\r${name}: ${first + count} memories`);
    }
  });
  process.stderr.write('\n');
  return (1_000 * (to - from)) / taken;
}

/** Has a side filled with `size` memories; answers how many a second were stored, where they were not copies. */
async function ensureFilled(side, size, before) {
  const note = await side.noteOf(size);
  if (note !== undefined) return JSON.parse(note).perSecond;
  await side.begin(size, before);
  const filled = {};
  if (before === undefined || size % before !== 0 || side.copy === undefined) {
    const knowledgeBase = await openScaleKnowledgeBase(side.whereOf(size));
    filled.perSecond = await fill(side.name, knowledgeBase, before ?? 0, size).finally(() => knowledgeBase.close());
  } else await side.copy(size, before, users);
  await side.finish(size, JSON.stringify(filled));
  return filled.perSecond;
}

/** What so many processes do together in a second: searches, stores. */
async function measureProcesses(where, count) {
  const script = fileURLToPath(new URL('scale-load.mjs', import.meta.url));
  const how = { where, users, atOnce: AT_ONCE, ms: 1_000 * seconds };
  const children = Array.from({ length: count }, (_, at) => fork(script, [JSON.stringify({ ...how, seed: at + 31 })]));
  const answers = () => Promise.all(children.map(async (child) => (await once(child, 'message'))[0]));
  await answers();
  const rates = [];
  for (const what of ['search', 'store']) {
    const answered = answers();
    for (const child of children) child.send(what);
    rates.push((await answered).reduce((sum, one) => sum + one, 0));
  }
  const ended = children.map((child) => once(child, 'exit'));
  for (const child of children) child.send('end');
  await Promise.all(ended);
  return rates;
}

async function measureSide(side, size) {
  const where = side.whereOf(size);
  const diskMb = (await side.diskBytes(size)) / 2 ** 20;
  const knowledgeBase = await openScaleKnowledgeBase(where);
  const figures = {};
  try {
    const calls = createCalls(knowledgeBase, users, Date.now());
    figures.first = await time(() => calls.search(0));
    figures.search = await measure(callCount, (at) => calls.search(at + 1));
    figures.firstMany = await time(() => calls.searchMany(0));
    figures.many = await measure(callCount, calls.searchMany);
    figures.store = await measure(callCount, calls.store);
    figures.memory = process.memoryUsage().rss / 2 ** 20;
    figures.server = await side.memory();
  } finally {
    await knowledgeBase.close();
  }
  const random = createRandom(Date.now());
  const toQuestion = (at) => ({ user: `user-${(at * 7_919 + 13) % users}`, query: toQuery(at, random) });
  const prompt = await measurePrompts(where, callCount, toQuestion);
  const several = [];
  for (const count of side.isAlone ? [1] : processes) several.push(await measureProcesses(where, count));
  return { ...figures, prompt, several, diskMb };
}

const show = (value) => (Number.isFinite(value) ? (value < 10 ? value.toFixed(1) : value.toFixed(0)) : '–');
const showPair = ({ p50, p95 }) => `${show(p50)} / ${show(p95)}`;
const HEAD = [
  ...[
    'memories',
    'engine',
    'filled /s',
    'first search',
    'search p50 / p95',
    'of many: first',
    'p50 / p95',
    'store p50 / p95',
  ],
  ...['prompt p50 / p95', 'searches /s', 'stores /s', 'MB on disk', 'MB of the process', 'of the server'],
];

const rows = [];
for (const engine of flags.engines.split(',')) {
  const side = await openScaleSide(engine, flags);
  try {
    const own = sizes.filter((one) => engine !== 'chroma' || one <= MOST_OF_CHROMA);
    const filled = [];
    for (const [at, size] of own.entries()) filled.push(await ensureFilled(side, size, own[at - 1]));
    for (const [at, size] of flags.fill ? [] : own.entries()) {
      const { first, search, firstMany, many, store, prompt, several, ...room } = await measureSide(side, size);
      const pairs = [showPair(search), show(firstMany), showPair(many), showPair(store), showPair(prompt)];
      const rates = [0, 1].map((what) => several.map((one) => show(one[what])).join(' / '));
      const sizesOf = [room.diskMb, room.memory, room.server].map(show);
      rows.push([size, side.name, show(filled[at]), show(first), ...pairs, ...rates, ...sizesOf]);
      process.stderr.write(`${rows.at(-1).join(' | ')}\n`);
    }
  } finally {
    await side.close(sizes);
  }
}
process.stdout.write(`${toTable(HEAD, rows)}\n`);
process.stdout.write(
  `\n- times in ms; ${users} users, and one with ten thousand; ten results a search; per second with ${processes.join(', ')} processes of ${AT_ONCE} calls at once; Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})\n`,
);
