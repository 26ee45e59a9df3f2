// How the embedded store's searches take longer as it grows: among one user's documents, whose number grows with it, and
// without a filter. Writes the numbers as JSON, and draws them.
//
//   npm run bench:growth -- [--sizes 10000,30000,100000,300000] [--users 500] [--searches 60] [--json FILE] [--svg FILE]
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { percentile, time, toTable } from '../../../shared/tooling/bench-figures.mjs';
import { createRandom, toQuery } from './corpus.mjs';
import { load, makeFolder, openEmbedded } from './embedded.mjs';

const WARM_UP = 6;
const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,30000,100000,300000' },
    users: { type: 'string', default: '500' },
    searches: { type: 'string', default: '60' },
    json: { type: 'string' },
    svg: { type: 'string' },
  },
});
const sizes = flags.sizes.split(',').map(Number);
const [users, searches] = [Number(flags.users), Number(flags.searches)];
const random = createRandom(4);
const userOf = (number) => `user-${number % users}`;
const kinds = {
  'among one user’s documents': (at) => ({ metadata_filter: { user_id: userOf(at * 7) } }),
  'without a filter': () => ({}),
};

async function measure(knowledgeBase, documents) {
  const rows = [];
  for (const [what, toFilter] of Object.entries(kinds)) {
    const taken = [];
    for (let at = -WARM_UP; at < searches; at += 1) {
      const request = { query: toQuery(Math.abs(at), random), top_k: 10, ...toFilter(Math.abs(at)) };
      const one = await time(() => knowledgeBase.search(request));
      if (at >= 0) taken.push(one);
    }
    rows.push({ documents, what, p50: percentile(taken, 0.5), p95: percentile(taken, 0.95) });
  }
  return rows;
}

const folder = await makeFolder();
const knowledgeBase = await openEmbedded(folder.file);
const results = [];
try {
  for (const [at, size] of sizes.entries()) {
    await load(knowledgeBase, { from: sizes[at - 1], to: size, userOf, random });
    results.push(...(await measure(knowledgeBase, size)));
  }
} finally {
  await knowledgeBase.close();
  await folder.remove();
}
const cells = results.map(({ documents, what, p50, p95 }) => [documents, what, p50.toFixed(1), p95.toFixed(1)]);
process.stdout.write(`${toTable(['documents', 'search', 'p50 ms', 'p95 ms'], cells)}\n`);
process.stdout.write(
  `\n- ${users} users, ten results a search, Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})\n`,
);
if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(results, null, 2)}\n`);
if (flags.svg !== undefined) {
  const { drawGrowth } = await import('./chart.mjs');
  await writeFile(flags.svg, await drawGrowth(results));
}
