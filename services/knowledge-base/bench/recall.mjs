// How much of what answers a question a search finds: the knowledge base and plain baselines over the same turns of
// conversations, with intervals, and the difference that a change makes. Without files it measures our own two sets.
//
//   npm run bench:recall -- [file ...] [--json out.json] [--compare before.json] [--clustered]
//                           [--store embedded|chroma|both] [--chroma-url URL]
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readSettings } from '@contextloom/runtime';
import { storeSettings } from '../build/config.js';
import { startChroma } from './chroma.mjs';
import { measureSet } from './recall/measure.mjs';
import { printComparison, printNotes, printSet, printStores } from './recall/print.mjs';
import { isLocomo, readLocomo } from './recall/read-locomo.mjs';
import { isTown, ownSets, readTown } from './recall/read-town.mjs';
import { storeChoices } from './recall/stores.mjs';

const { values: flags, positionals } = parseArgs({
  options: {
    json: { type: 'string' },
    compare: { type: 'string' },
    // Draws whole conversations: wider and more honest about other people's talk, but rough with only a handful of them.
    clustered: { type: 'boolean', default: false },
    // Of two, the embedded one stands as the knowledge base and the other next to it.
    store: { type: 'string', default: 'embedded' },
    'chroma-url': { type: 'string' },
  },
  allowPositionals: true,
});

async function readSet(file) {
  const [name, data] = [basename(file, '.json'), JSON.parse(await readFile(file, 'utf8'))];
  if (isTown(data)) return readTown(name, data);
  if (isLocomo(data)) return readLocomo(name, data);
  throw new Error(`${file} has neither the shape of LoCoMo's files nor that of bench/recall/sets`);
}

/** The embedder can be chosen as for the service; everything else of the environment is left aside. */
function readEmbedding() {
  const { values } = readSettings(storeSettings, process.env);
  return Object.fromEntries(Object.entries(values).filter(([key]) => key.startsWith('embedding')));
}

const { clustered: isClustered, store } = flags;
if (!Object.hasOwn(storeChoices, store)) {
  throw new Error(`--store must be one of ${Object.keys(storeChoices).join(', ')}`);
}
const earlier = flags.compare === undefined ? undefined : JSON.parse(await readFile(flags.compare, 'utf8'));
const read = await Promise.all((positionals.length > 0 ? positionals : ownSets).map(readSet));
const embedding = readEmbedding();
const embedder = [embedding.embeddingProvider, embedding.embeddingModel].filter(Boolean).join(' ');
const chroma = storeChoices[store].includes('chroma') ? await startChroma(flags['chroma-url']) : undefined;
const sets = [];
try {
  for (const set of read) {
    const measured = await measureSet(set, { store, embedding, chromaUrl: chroma?.url });
    sets.push(measured);
    printSet(measured, isClustered);
    if (earlier !== undefined) printComparison(measured, earlier, isClustered);
  }
} finally {
  await chroma?.stop();
}
if (store === 'both') printStores(sets);
printNotes({ embedder, store, isClustered });
if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify({ embedder, store, sets })}\n`);
