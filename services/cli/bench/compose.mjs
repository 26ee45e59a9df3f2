// What composing costs: prompts from 2, 5 and 10 declared sources, each a process that takes 20 to 300 ms to answer.
// The p50 of a prompt against the slowest of its sources asked alone.
//
//   npm run bench:compose [-- --runs 40 --sources 2,5,10]
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory } from '@contextloom/testing';
import Table from 'cli-table3';
import { percentile } from '../../../shared/tooling/bench-figures.mjs';
import { createAggregatorServer } from '../../context-aggregator/build/build-server.js';
import { parseContextSources } from '../../context-aggregator/build/domain/context-sources/context-source.js';

const { values: flags } = parseArgs({
  options: { runs: { type: 'string', default: '40' }, sources: { type: 'string', default: '2,5,10' } },
});
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const fixture = join(root, 'services/context-aggregator/test/fixtures/source.mjs');
const options = { timeoutMs: 30_000 };

async function timeOf(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function medianOf(work) {
  const times = [];
  for (let run = 0; run < Number(flags.runs); run += 1) times.push(await timeOf(work));
  return percentile(times, 0.5);
}

async function writeSources(folder, count) {
  const entries = Array.from({ length: count }, async (_, at) => {
    const delayMs = Math.round(20 + (280 * at) / (count - 1));
    const script = join(folder, `source-${at}.json`);
    await writeFile(script, JSON.stringify({ folder, delayMs, items: ['something'] }));
    return [`source-${at}`, { command: process.execPath, args: [fixture, script], env: {}, cwd: root }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function measure(count) {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-compose-'));
  const declared = await writeSources(folder, count);
  const persona = {
    command: process.execPath,
    args: ['services/persona/dist/server.js', '--persona', 'marlow'],
    env: { LOG_LEVEL: 'error' },
    cwd: root,
  };
  const servers = { 'persona-marlow': persona, ...declared };
  const upstreams = createUpstreams({ servers, clientName: 'bench', clientVersion: '0.1.0', log: silentLog });
  const names = Object.keys(declared);
  const list = names.map((server) => ({
    name: server,
    server,
    tool: 'look_up',
    arguments: { user: '{{user_id}}' },
    items: '/found/items',
  }));
  const sources = parseContextSources(list, 'bench', names);
  // Long enough for the first start of all processes on a busy machine.
  const deadlines = { sourceMs: 60_000, storeMs: 60_000 };
  const client = await connectInMemory(
    createAggregatorServer({
      upstreams,
      toSettings: () => ({ deadlines, sources }),
      log: silentLog,
      version: '0.1.0',
    }),
  );
  const build = async () => {
    const { structured, text } = await client.callTool('build_prompt_with_context', {
      persona_name: 'marlow',
      user_id: 'ann',
    });
    if (structured?.status !== 'complete')
      throw new Error(structured === undefined ? text : JSON.stringify(structured));
  };
  try {
    await build(); // starts them all
    const slowest = await medianOf(() => upstreams.call(names.at(-1), 'look_up', { user: 'ann' }, options));
    return { count, slowest, prompt: await medianOf(build) };
  } finally {
    await client.close();
    await upstreams.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const table = new Table({
  head: ['sources', 'slowest alone, p50 ms', 'prompt, p50 ms', 'more, ms'],
  style: { head: [], border: [] },
});
for (const count of flags.sources.split(',').map(Number)) {
  const { slowest, prompt } = await measure(count);
  table.push([count, slowest.toFixed(1), prompt.toFixed(1), (prompt - slowest).toFixed(1)]);
}
process.stdout.write(`${table.toString()}\n`);
