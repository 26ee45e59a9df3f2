// Where the Chroma store should change from ranking rows itself to asking the engine's index: searches in selections of
// growing size, both ways. The number in use stands in src/store/chroma/reading/find.ts.
//
//   npm run bench:switch -- [--documents 50000] [--searches 30] [--chroma-url URL]
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createLexicalEmbedder } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import { createKnowledgeBase } from '../build/domain/local-knowledge-base.js';
import { openChromaStore } from '../build/store/chroma/store.js';
import { createWriteIntents } from '../build/store/chroma/writing/write-intents.js';
import { startChroma } from './chroma.mjs';
import { createRandom, toDocument, toQuery } from './corpus.mjs';
import { percentile, time, toTable } from './statistics.mjs';

const BATCH = 1_000;
const SIZES = [30, 100, 300, 500, 700, 1_000, 2_000, 5_000];
const { values: flags } = parseArgs({
  options: {
    documents: { type: 'string', default: '50000' },
    searches: { type: 'string', default: '30' },
    'chroma-url': { type: 'string' },
  },
});
const [documents, searches] = [Number(flags.documents), Number(flags.searches)];
const random = createRandom(2);
const embedder = createLexicalEmbedder();

async function open(url, maxRowsExact) {
  const address = { url, apiKey: undefined, tenant: undefined, database: undefined, collection: 'bench-switch' };
  const options = {
    embedder: embedder.identity,
    intents: createWriteIntents(randomUUID()),
    newId: randomUUID,
    log: silentLog,
  };
  const store = await openChromaStore({ address, ...options, maxRowsExact });
  return createKnowledgeBase({ store, embedder, isolation: 'off', clock: () => new Date(), newId: randomUUID });
}

/** The first documents are those of the users of the table, the rest are one crowd's. */
function userOf(number) {
  let from = 0;
  for (const size of SIZES) {
    if (number < from + size) return `user-${size}`;
    from += size;
  }
  return `crowd-${number % 200}`;
}

const chroma = await startChroma(flags['chroma-url']);
const ways = [];
try {
  ways.push(await open(chroma.url, 10_000), await open(chroma.url, 0));
  const [exact, index] = ways;
  for (let from = 0; from < documents; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, at) => toDocument(from + at, userOf(from + at), random));
    await exact.add(batch);
    process.stderr.write(`\r${from + BATCH} of ${documents} documents`);
  }
  process.stderr.write('\n');
  const rows = [];
  for (const size of SIZES) {
    const taken = { exact: [], index: [] };
    for (let at = 0; at < searches; at += 1) {
      const request = { query: toQuery(at, random), top_k: 10, metadata_filter: { user_id: `user-${size}` } };
      taken.exact.push(await time(() => exact.search(request)));
      taken.index.push(await time(() => index.search(request)));
    }
    const cells = [taken.exact, taken.index].flatMap((one) => [percentile(one, 0.5), percentile(one, 0.95)]);
    rows.push([size, ...cells.map((cell) => cell.toFixed(1)), (cells[2] / cells[0]).toFixed(2)]);
  }
  const head = ['rows', 'ranked here p50 ms', 'p95', "engine's index p50 ms", 'p95', 'index / here'];
  process.stdout.write(`${toTable(head, rows)}\n`);
} finally {
  for (const knowledgeBase of ways) await knowledgeBase.close();
  await chroma.stop();
}
