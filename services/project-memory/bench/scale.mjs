// Many memories of many projects, on SQLite and on a Postgres server: how fast they are taken in, found and read, what the
// vector index misses of an exact search, how long a start takes, and how much memory.
// node services/project-memory/bench/scale.mjs [--memories 50000] [--projects 200] [--dimensions 384] [--writers 8]
//   [--queries 300] [--engines sqlite,postgres]
// The Postgres server is the one of TEST_DATABASE_URL, which gets a database of its own for the time of the run; with or without pgvector.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startScriptedOpenAi } from '@contextloom/testing/llm';
import { inParallel, percentile, timed, toTable } from '../../../shared/tooling/bench-figures.mjs';
import { openEngines } from './engines.mjs';
import { createRandom, toNote, toQuestion } from './notes.mjs';
import { measureRecall } from './recall.mjs';
import { startServer } from './server.mjs';

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '50000' },
    projects: { type: 'string', default: '200' },
    dimensions: { type: 'string', default: '384' },
    writers: { type: 'string', default: '8' },
    queries: { type: 'string', default: '300' },
    engines: { type: 'string', default: 'sqlite,postgres' },
  },
});
const size = {
  memories: Number(values.memories),
  projects: Number(values.projects),
  dimensions: Number(values.dimensions),
  writers: Number(values.writers),
  queries: Number(values.queries),
};
/** One owner has nearly everything; the other's few projects must be found among it. */
const OWNERS = [
  { ownerId: 'few', share: 0.02 },
  { ownerId: 'many', share: 0.98 },
];
const say = (text) => process.stderr.write(`${text}\n`);

/** Projects and notes of the owners, one after the other. */
function toShares() {
  const few = Math.max(1, Math.round(size.projects * OWNERS[0].share));
  const perProject = Math.floor(size.memories / size.projects);
  return OWNERS.map(({ ownerId }, at) => ({
    ownerId,
    from: at === 0 ? 0 : few,
    projects: at === 0 ? few : size.projects - few,
    notes: perProject * (at === 0 ? few : size.projects - few),
  }));
}

async function ingest(server, { from, projects, notes }) {
  const random = createRandom(from + 1);
  const sent = Array.from({ length: notes }, (_, at) => toNote(at, from + (at % projects), random));
  const [ids, latencies] = [[], []];
  const started = performance.now();
  await inParallel(sent, size.writers, async (note, at) => {
    const { value, ms } = await timed(() => server.request('/ingest/memory', note));
    ids.push(value.id);
    latencies.push(ms);
    if ((at + 1) % 5_000 === 0)
      say(`  ${at + 1} notes, ${Math.round((1_000 * (at + 1)) / (performance.now() - started))}/s`);
  });
  return { ids, latencies, seconds: (performance.now() - started) / 1_000 };
}

/** Milliseconds of each request, one after the other. */
async function measure(paths, server) {
  const times = [];
  for (const path of paths) times.push((await timed(() => server.request(path))).ms);
  return times;
}

async function readBack(server, share, ids) {
  const random = createRandom(99);
  const some = (length, toPath) =>
    Array.from({ length }, (_, at) => toPath(at, share.from + Math.floor(random() * share.projects)));
  const search = (at, project, more = {}) =>
    `/memories/search?${new URLSearchParams({ query: toQuestion(at, project, random), limit: '10', ...more })}`;
  const five = () => Array.from({ length: 5 }, () => ids[Math.floor(random() * ids.length)]).join(',');
  return {
    'search in a project': await measure(
      some(size.queries, (at, project) => search(at, project, { project_key: `project-${project}` })),
      server,
    ),
    'search everywhere': await measure(some(Math.ceil(size.queries / 3), search), server),
    'get five': await measure(
      some(size.queries, () => `/memories?ids=${five()}`),
      server,
    ),
  };
}

async function runOn(engine, endpoint) {
  const settings = {
    ...engine.env,
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_BASE_URL: endpoint.url,
    EMBEDDING_API_KEY: endpoint.apiKey,
    EMBEDDING_MODEL: 'scripted',
    EMBEDDING_DIMENSIONS: String(size.dimensions),
  };
  const figures = new Map();
  const put = (name, value, unit = 'ms') =>
    figures.set(name, `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`);
  const shares = toShares();
  let last = { ids: [], latencies: [], seconds: 0 };
  for (const [at, share] of shares.entries()) {
    const server = await startServer({ ...settings, OWNER_ID: share.ownerId });
    if (at === 0) put('start, cold', server.startMs);
    say(`${engine.name}: ${share.notes} notes of ${share.ownerId}`);
    last = await ingest(server, share);
    if (at === 1) put('server process after the ingests', (await server.memory()).now, 'MB');
    await server.close();
  }
  put('ingest', last.ids.length / last.seconds, '/s');
  put('ingest p50', percentile(last.latencies, 0.5));
  put('ingest p95', percentile(last.latencies, 0.95));
  const server = await startServer({ ...settings, OWNER_ID: shares[1].ownerId });
  put('start, warm', server.startMs);
  put('server process at the start', (await server.memory()).now, 'MB');
  for (const [name, times] of Object.entries(await readBack(server, shares[1], last.ids))) {
    put(`${name} p50`, percentile(times, 0.5));
    put(`${name} p95`, percentile(times, 0.95));
  }
  put('server process at its highest', (await server.memory()).peak, 'MB');
  await server.close();
  say(`${engine.name}: recall`);
  const embedding = {
    embeddingProvider: 'openai',
    embeddingBaseUrl: endpoint.url,
    embeddingApiKey: endpoint.apiKey,
    embeddingModel: 'scripted',
    embeddingDimensions: size.dimensions,
  };
  const recall = await measureRecall({ engine, embedding, shares, queries: size.queries });
  for (const [name, value] of recall) figures.set(name, value);
  return figures;
}

const endpoint = await startScriptedOpenAi({ dimensions: size.dimensions });
const columns = [];
for (const engine of await openEngines(values.engines.split(','), say)) {
  columns.push({ name: engine.name, figures: await runOn(engine, endpoint) });
  await engine.close();
}
await endpoint.close();
const names = [...new Set(columns.flatMap(({ figures }) => [...figures.keys()]))];
const rows = names.map((name) => [name, ...columns.map(({ figures }) => figures.get(name) ?? '–')]);
process.stdout.write(
  `${size.memories} memories, ${size.projects} projects, ${size.dimensions} dimensions, ${size.writers} writers, Node ${process.version}\n\n` +
    `${toTable(['', ...columns.map(({ name }) => name)], rows)}\n`,
);
