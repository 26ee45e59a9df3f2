// This server next to @modelcontextprotocol/server-memory, which npm puts into a temporary folder: the same facts one by one over
// stdio, then found by word and read by entity; and two processes of each that write at once.
// node services/personal-memory/bench/side-by-side.mjs [facts] [entities]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { countTokens } from '@contextloom/llm';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { measure, ms, toTable } from '../../../shared/tooling/bench-figures.mjs';
import { toFact } from './facts.mjs';

const [facts, entities] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 50)];
const folder = mkdtempSync(join(tmpdir(), 'contextloom-side-by-side-'));
const own = fileURLToPath(new URL('../dist/server.js', import.meta.url));

async function connect(file, env) {
  const client = new Client({ name: 'bench', version: '0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [file],
      env: { LOG_LEVEL: 'silent', ...env },
      stderr: 'ignore',
    }),
  );
  const call = async (name, args) => {
    const { content, isError } = await client.callTool({ name, arguments: args }, undefined, { timeout: 120_000 });
    const text = content.map((part) => part.text).join('');
    if (isError) throw new Error(`${name}: ${text}`);
    return text;
  };
  return { call, close: () => client.close() };
}

const toEvent = (number, entityId) => {
  const { description, type, cost, time } = toFact(number);
  return {
    event_type: type,
    description,
    metadata: { cost },
    timestamp: new Date(time).toISOString(),
    related_entity_ids: [entityId],
  };
};

const sides = {
  'personal-memory': {
    connect: () => connect(own, { PERSONAL_MEMORY_DATA_DIR: join(folder, 'own'), MAX_EVENTS_PER_QUERY: '1000' }),
    createEntities: async ({ call }, names) => {
      for (const name of names) await call('create_entity', { entity_type: 'person', name });
    },
    store: ({ call }, number, entity) => call('add_event', toEvent(number, entity + 1)),
    find: ({ call }, word) => call('search_events', { keywords: [word] }),
    context: ({ call }, entity) => call('query_entity_timeline', { entity_id: entity + 1, limit: 5 }),
    count: async ({ call }) => JSON.parse(await call('summarize_events', { group_by: 'type' })).total_events,
  },
  'server-memory': {
    connect: () =>
      connect(join(folder, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js'), {
        MEMORY_FILE_PATH: join(folder, 'memory.jsonl'),
      }),
    createEntities: ({ call }, names) =>
      call('create_entities', { entities: names.map((name) => ({ name, entityType: 'person', observations: [] })) }),
    store: ({ call }, number, entity) => {
      const { description, type, cost, time } = toFact(number);
      const contents = [`${new Date(time).toISOString()} ${type}: ${description}, cost ${cost}`];
      return call('add_observations', { observations: [{ entityName: `person ${entity}`, contents }] });
    },
    find: ({ call }, word) => call('search_nodes', { query: word }),
    context: ({ call }, entity) => call('open_nodes', { names: [`person ${entity}`] }),
    count: async ({ call }) =>
      JSON.parse(await call('read_graph', {})).entities.reduce((sum, { observations }) => sum + observations.length, 0),
  },
};

/** Writes with two processes at once, and counts what is there afterwards. */
async function writeAtOnce(side, count) {
  const before = await side.connect();
  const had = await side.count(before);
  await before.close();
  const writers = await Promise.all([side.connect(), side.connect()]);
  let acknowledged = 0;
  await Promise.all(
    writers.map(async (writer, lane) => {
      for (let n = 0; n < count; n += 1) {
        const isDone = await side.store(writer, facts + lane * count + n, n % entities).then(
          () => true,
          () => false,
        );
        if (isDone) acknowledged += 1;
      }
    }),
  );
  await Promise.all(writers.map((writer) => writer.close()));
  const after = await side.connect();
  const there = await side.count(after).catch(() => undefined);
  await after.close();
  return there === undefined ? 'file unreadable' : `${acknowledged - (there - had)} of ${acknowledged} lost`;
}

async function run(side) {
  const server = await side.connect();
  await side.createEntities(
    server,
    Array.from({ length: entities }, (_, at) => `person ${at}`),
  );
  const store = await measure(facts, (number) => side.store(server, number, number % entities));
  const english = await measure(50, () => side.find(server, 'plum'));
  const chinese = await measure(50, () => side.find(server, '红烧肉'));
  const context = await measure(50, (at) => side.context(server, at % entities));
  await server.close();
  const pair = ({ p50, p95 }) => `${ms(p50)} / ${ms(p95)}`;
  return [
    pair(store),
    `${pair(english)}, ${countTokens(english.answer)} tokens`,
    `${pair(chinese)}, ${countTokens(chinese.answer)} tokens`,
    `${pair(context)}, ${countTokens(context.answer)} tokens`,
    await writeAtOnce(side, 250),
  ];
}

try {
  execFileSync(
    'npm',
    ['install', '--prefix', folder, '--no-audit', '--no-fund', '@modelcontextprotocol/server-memory'],
    { stdio: 'ignore' },
  );
  process.stdout.write(
    `${facts} facts about ${entities} people, stored one by one over stdio; milliseconds p50 / p95\n\n`,
  );
  const rows = [];
  for (const [name, side] of Object.entries(sides)) rows.push([name, ...(await run(side))]);
  const head = [
    '',
    'store',
    'find "plum"',
    'find 红烧肉',
    'context of one person (the last 5 events; all observations)',
    'two processes at once',
  ];
  process.stdout.write(`${toTable(head, rows)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
