// How fast documents are stored and found: the embedded store, Chroma through the knowledge base, and Chroma's own client
// with the equivalent `where`, one after the other at every step of one run, so that whatever else the machine does
// hits all of them alike. Compare the ratios.
//
//   npm run bench:speed -- [--documents 50000] [--users 500] [--searches 100] [--chroma-url URL] [--json FILE]
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { percentile, time, toTable } from '../../../shared/tooling/bench-figures.mjs';
import { residentMemory, startChroma } from './chroma.mjs';
import { createRandom, toDocument, toQuery } from './corpus.mjs';
import { openChromaSide, openDirectSide, openEmbeddedSide } from './sides.mjs';

const BATCH = 1_000;
const WARM_UP = 5;
const { values: flags } = parseArgs({
  options: {
    documents: { type: 'string', default: '50000' },
    users: { type: 'string', default: '500' },
    searches: { type: 'string', default: '100' },
    'chroma-url': { type: 'string' },
    json: { type: 'string' },
  },
});
const [documents, users, searches] = [flags.documents, flags.users, flags.searches].map(Number);
const random = createRandom(1);
const userOf = (number) => `user-${number % users}`;

const searchKinds = {
  'search, user': (number) => ({ user: userOf(number * 7) }),
  'search, user + tag + range': (number) => ({ user: userOf(number * 7), tag: 'memory', least: 5 }),
  'search, no filter': () => ({}),
};

/** Times by what was done and by side, in milliseconds. */
const times = new Map();
async function note(what, side, work) {
  const key = `${what}|${side.name}`;
  const taken = await time(work);
  times.set(key, [...(times.get(key) ?? []), taken]);
}

async function load(sides) {
  for (let from = 0; from < documents; from += BATCH) {
    const count = Math.min(BATCH, documents - from);
    const batch = Array.from({ length: count }, (_, at) => toDocument(from + at, userOf(from + at), random));
    for (const side of sides) await note(`add ${BATCH} at once`, side, () => side.addMany(batch));
    process.stderr.write(`\r${from + count} of ${documents} documents`);
  }
  process.stderr.write('\n');
}

async function addOneByOne(sides) {
  for (let at = 0; at < searches; at += 1) {
    const document = toDocument(documents + at, userOf(at), random);
    for (const side of sides) await note('add one, id given', side, () => side.add(document));
    for (const side of sides) await note('add one', side, () => side.addNew(document));
  }
}

async function search(sides) {
  for (const [what, toFilter] of Object.entries(searchKinds)) {
    for (let at = -WARM_UP; at < searches; at += 1) {
      const asked = { query: toQuery(Math.abs(at), random), ...toFilter(Math.abs(at)) };
      for (const side of sides) {
        if (at < 0) await side.search(asked);
        else await note(what, side, () => side.search(asked));
      }
    }
  }
}

function report(sides, memory) {
  const last = sides.at(-1).name;
  const results = [...times].map(([key, taken]) => {
    const [what, side] = key.split('|');
    const [p50, p95] = [percentile(taken, 0.5), percentile(taken, 0.95)];
    const size = what.includes('at once') ? BATCH : 1;
    const perSecond = (size * taken.length * 1_000) / taken.reduce((sum, one) => sum + one, 0);
    const peer = times.get(`${what}|${last}`);
    return {
      what,
      side,
      runs: taken.length,
      p50,
      p95,
      perSecond,
      ratio50: percentile(peer, 0.5) / p50,
      ratio95: percentile(peer, 0.95) / p95,
    };
  });
  const head = ['', 'side', 'runs', 'p50 ms', 'p95 ms', 'per second', `times as fast as ${last}: p50`, 'p95'];
  const row = ({ what, side, runs, p50, p95, perSecond, ratio50, ratio95 }) => [
    what,
    side,
    runs,
    p50.toFixed(1),
    p95.toFixed(1),
    perSecond.toFixed(0),
    ratio50.toFixed(2),
    ratio95.toFixed(2),
  ];
  process.stdout.write(`${toTable(head, results.map(row))}\n\n`);
  process.stdout.write(`- ${documents} documents of 384 dimensions, ${users} users, ten results a search\n`);
  process.stdout.write(
    `- memory: this process ${memory.own.toFixed(0)} MiB, Chroma ${memory.chroma?.toFixed(0) ?? '?'} MiB with both collections\n`,
  );
  process.stdout.write(`- Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})\n`);
  process.stdout.write(
    '- our sides search by words and by nearness and rank both together; Chroma directly by nearness alone\n',
  );
  return results;
}

const chroma = await startChroma(flags['chroma-url']);
const sides = [];
try {
  sides.push(await openEmbeddedSide(), await openChromaSide(chroma.url), await openDirectSide(chroma.url));
  await load(sides);
  await addOneByOne(sides);
  await search(sides);
  const results = report(sides, { own: residentMemory(process.pid), chroma: residentMemory(chroma.pid) });
  if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(results, null, 2)}\n`);
} finally {
  for (const side of sides) await side.close();
  await chroma.stop();
}
