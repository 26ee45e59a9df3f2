import { setTimeout as sleep } from 'node:timers/promises';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory } from '@contextloom/testing';
import { createPostgresServer, findPostgres, type PostgresServer } from '@contextloom/testing/postgres-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createProjectMemoryServer } from '../src/build-server.ts';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import { openPgDatabase, type PostgresDatabase } from '../src/store/postgres/pg-database.ts';
import { findByWords } from '../src/store/postgres/search-fragments.ts';
import { createSqlMemoryStore } from '../src/store/sql-memory-store.ts';
import { openEmbedded } from './support/databases.ts';
import { createMemory, embedder, openStore, split } from './support/memory.ts';

/** Words alone are looked for, so that any Postgres of the machine will do. */
const bin = await findPostgres();
const CONNECTIONS = 3;
const ID = `mem_${'0'.repeat(32)}`;

/** Every reading of the memory, each of which asks at least one statement of the store. */
const READINGS: readonly (readonly [string, (memory: ProjectMemory) => Promise<unknown>])[] = [
  ['search', (memory) => memory.search({ query: 'harbour gate', scope: 'all', limit: 5 })],
  ['get', (memory) => memory.get([ID])],
  ['timeline', (memory) => memory.timeline({}, 7, { limit: 5 })],
  ['newest', (memory) => memory.newest({}, 5)],
  ['projects', (memory) => memory.projects(5)],
  ['counts', (memory) => memory.counts()],
  ['countWaiting', (memory) => memory.countWaiting()],
  ['versions', (memory) => memory.versions(ID)],
  ['arbitrations', (memory) => memory.arbitrations({}, 5)],
  ['links', (memory) => memory.links(ID)],
  ['relatedTo', (memory) => memory.relatedTo([ID], 'linked alone')],
  [
    'exportText',
    async (memory) => {
      for await (const line of memory.exportText({})) if (line === '') return;
    },
  ],
];

const TABLES = `
  create table projects (id uuid primary key, owner_id text, project_key text, project_name text);
  create table memories (id text primary key, owner_id text, project_id uuid, ends_at bigint);
  create table memory_links (owner_id text, from_id text, to_id text);
  create table memory_versions (owner_id text, memory_id text);
  create table memory_arbitrations (owner_id text, id int, ends_at bigint);
  create table fragments (owner_id text, project_id uuid);`;
const LOCK = 'begin; lock table projects, memories, memory_links, memory_versions, memory_arbitrations, fragments';

let server: PostgresServer;
let database: PostgresDatabase;
let locker: pg.Client;
/** In a transaction the list of what runs would stay as it was first read. */
let watcher: pg.Client;
let memory: ProjectMemory;

/** Statements that the store's connections run or wait with. */
async function countRunning(): Promise<number> {
  const { rows } = await watcher.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where application_name = 'contextloom-project-memory' and state = 'active'",
  );
  return rows[0]?.count ?? 0;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

(bin === undefined ? describe.skip : describe)('a reading that nobody waits for any more', () => {
  beforeAll(async () => {
    server = await createPostgresServer(bin ?? '');
    await server.start();
    database = openPgDatabase({ url: server.url, connections: CONNECTIONS, onLost: () => undefined });
    await database.run(TABLES);
    const store = await createSqlMemoryStore(
      {
        database,
        place: server.url,
        prepare: async () => ({
          findByWords: (selection, tokens, limit) =>
            findByWords(database.until(selection.signal), selection, tokens, limit),
          findByVector: async () => [],
          findNearest: async () => [],
          similar: async () => [],
        }),
        forget: async () => ({ erased: [], unreached: [] }),
      },
      { space: embedder.identity, onMismatch: 'refuse', split },
    );
    ({ memory } = createMemory(store, { ownerId: 'ann', embedQuery: async () => undefined }));
    locker = new pg.Client({ connectionString: server.url });
    watcher = new pg.Client({ connectionString: server.url });
    await Promise.all([locker.connect(), watcher.connect()]);
    // Whatever is read waits, until the test ends it.
    await locker.query(LOCK);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([locker.end(), watcher.end()]);
    await database.close();
    await server.remove();
  });

  it.each(READINGS)(
    'leaves no statement in the server: %s',
    async (_name, read) => {
      const caller = new AbortController();
      const reading = read(memory.within({ signal: caller.signal }));
      await until(async () => (await countRunning()) > 0);
      caller.abort();
      await expect(reading).rejects.toMatchObject({ code: 'timeout' });
      await until(async () => (await countRunning()) === 0);
    },
    60_000,
  );

  it('gives its connection back, and the place in the queue of one that waits for a connection', async () => {
    const caller = new AbortController();
    const readings = Array.from({ length: 4 * CONNECTIONS }, () =>
      memory.within({ signal: caller.signal }).projects(5),
    );
    await until(async () => (await countRunning()) === CONNECTIONS);
    caller.abort();
    for (const { status } of await Promise.allSettled(readings)) expect(status).toBe('rejected');
    await until(async () => (await countRunning()) === 0);
    const others = Array.from({ length: 4 * CONNECTIONS }, () => database.query('select 1 as one'));
    expect(await Promise.all(others)).toEqual(others.map(() => [{ one: 1 }]));
  }, 60_000);

  it('ends when a client cancels its call', async () => {
    const factory = createProjectMemoryServer({
      ownerId: 'ann',
      version: '0',
      log: silentLog,
      open: async () => memory,
    });
    const { client, close } = await connectInMemory(factory);
    const caller = new AbortController();
    const call = client.callTool(
      { name: 'mem.search', arguments: { query: 'harbour gate' } },
      { signal: caller.signal },
    );
    await until(async () => (await countRunning()) > 0);
    caller.abort('enough');
    await expect(call).rejects.toThrow();
    await until(async () => (await countRunning()) === 0);
    await close();
  }, 60_000);
});

it('does not begin in SQLite either', async () => {
  const opened = await openEmbedded();
  const { memory: embedded } = createMemory(await openStore(opened));
  await embedded.ingest({ project_name: 'harbour', content_type: 'insight', content: 'The gate is green.' });
  const gone = embedded.within({ signal: AbortSignal.abort() });
  for (const [name, read] of READINGS) {
    await expect([name, await read(gone).catch(({ code }) => code)]).toEqual([name, 'timeout']);
  }
  expect((await embedded.search({ query: 'green gate', scope: 'all', limit: 5 })).results).toHaveLength(1);
  await opened.close();
});
