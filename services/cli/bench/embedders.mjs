// What embedders cost, each in a process of its own: the default, a small English encoder, and `local` with a model of a few kilobytes,
// which shows what its thread and its tokeniser take: the model itself comes on top.
//
//   npm run bench:embedders [-- --texts 320] [--queries 100]
//
// `local` is measured where `contextloom setup embeddings` has installed transformers.js; --library names another EMBEDDING_DATA_DIR.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { createLexicalEmbedder, openEmbedder } from '@contextloom/llm';
import { DEFAULT_MODELS_FOLDER, toLibraryFolder } from '@contextloom/llm/local-model';
import { makeTinyModel, writeModel } from '@contextloom/testing/llm';
import Table from 'cli-table3';
import { peakMemory, percentile } from '../../../shared/tooling/bench-figures.mjs';
import { loadEncoder } from '../../../shared/tooling/encoder.mjs';

const BATCH = 16;
const WORDS = 'the old harbour keeps its boats in winter and my sister repairs the nets before spring comes'.split(' ');
const { values: flags } = parseArgs({
  options: {
    texts: { type: 'string', default: '320' },
    queries: { type: 'string', default: '100' },
    library: { type: 'string', default: DEFAULT_MODELS_FOLDER },
    one: { type: 'string' },
  },
});
const [texts, queries] = [Number(flags.texts), Number(flags.queries)];

/** Some 50 words; each number has a text of its own. */
const toText = (number) =>
  Array.from({ length: 50 }, (_, at) => WORDS[(number * 7 + at * (1 + (number % 5))) % WORDS.length]).join(' ');

async function openLocal(run) {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-bench-embedders-'));
  try {
    await writeModel(folder, makeTinyModel({ meanings: WORDS.map((word) => [word]) }));
    return await run(
      await openEmbedder({ embeddingProvider: 'local', embeddingModel: folder, embeddingDataDir: flags.library }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openEnglish(run) {
  const model = await loadEncoder();
  return run({ embed: (some) => model.embed([...some]) });
}

const embedders = {
  lexical: (run) => run(createLexicalEmbedder()),
  'English encoder': openEnglish,
  'local, tiny model': openLocal,
};

async function measure({ embed }, startedAt) {
  await embed([toText(0)]);
  const first = performance.now() - startedAt;
  const from = performance.now();
  for (let at = 1; at <= texts; at += BATCH) await embed(Array.from({ length: BATCH }, (_, one) => toText(at + one)));
  const perText = (performance.now() - from) / texts;
  const times = [];
  for (let at = 0; at < queries; at += 1) {
    const asked = performance.now();
    await embed([`${at}: where does my sister repair the nets?`]);
    times.push(performance.now() - asked);
  }
  return { first, perText, p50: percentile(times, 0.5), p95: percentile(times, 0.95), memory: peakMemory(process.pid) };
}

if (flags.one !== undefined) {
  const startedAt = performance.now();
  const result = await embedders[flags.one]((embedder) => measure(embedder, startedAt));
  process.stdout.write(`\n${JSON.stringify(result)}\n`);
  process.exit(0);
}
const table = new Table({
  head: ['embedder', 'first text, ms', 'a text of 16, ms', 'a query p50, ms', 'p95', 'memory at most, MiB'],
  style: { head: [], border: [] },
});
const hasLibrary = existsSync(toLibraryFolder(flags.library));
for (const name of Object.keys(embedders).filter((one) => hasLibrary || !one.startsWith('local'))) {
  const args = [fileURLToPath(import.meta.url), '--one', name, '--texts', flags.texts, '--queries', flags.queries];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--library', flags.library]);
  const { first, perText, p50, p95, memory } = JSON.parse(stdout.trim().split('\n').at(-1));
  const cells = [first, perText, p50, p95].map((ms) => ms.toFixed(ms < 10 ? 2 : 0));
  table.push([name, ...cells, memory === undefined ? '' : memory.toFixed(0)]);
}
process.stdout.write(`${table.toString()}\n`);
process.stdout.write(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}\n`);
