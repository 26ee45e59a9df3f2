import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { expect, it } from '@jest/globals';
import { createPostgresEngine } from '../src/store/postgres/engine.ts';
import { createSqlMemoryStore } from '../src/store/sql-memory-store.ts';
import { toPgliteDatabase } from '../src/store/takeover/copy-memories.ts';
import { openPostgres, readPristine, toVersion3 } from './support/databases.ts';
import { createMemory, embedder, openStore, split } from './support/memory.ts';

const NOTES = ['The tide table is printed monthly.', 'Cranes are painted in May.', '潮汐表由港务局每月发布。'];
const options = { space: embedder.identity, onMismatch: 'refuse', split } as const;

/** The same database on a server that has pgvector or has not. */
async function start(files: Blob, hasPgvector: boolean) {
  const engine = await PGlite.create({ loadDataDir: files, ...(hasPgvector && { extensions: { vector } }) });
  const database = toPgliteDatabase(engine);
  const { comparison } = await createPostgresEngine(database).prepare(options);
  // All that is found is found by the index where there is one.
  const store = await createSqlMemoryStore(createPostgresEngine(database, { exactUpTo: 0 }), options);
  const { memory } = createMemory(store, { ownerId: 'ann', scale: { cosine: { none: 0, full: 1 } } });
  return {
    comparison,
    memory,
    indexes: async () =>
      (
        await database.query<{ name: string }>(
          "select indexname as name from pg_indexes where indexname ~ '_nearest$' order by 1",
        )
      ).map(({ name }) => name),
    stop: async (last = 'select 1') => {
      await database.run(last);
      const left = await engine.dumpDataDir('none');
      await engine.close();
      return left;
    },
  };
}

it('uses pgvector from the first start after it was installed, and goes on without it', async () => {
  const plain = await start(await readPristine(), false);
  expect(plain.comparison).toContain('exactly, without pgvector');
  for (const content of NOTES) await plain.memory.ingest({ project_name: 'p', content_type: 'plan', content });
  const find = async ({ memory }: typeof plain) =>
    (await memory.search({ query: 'tide table of the harbour office', scope: 'all', limit: 5 })).results;
  const found = await find(plain);
  expect(found[0]?.snippet).toBe(NOTES[0]);
  expect(await plain.indexes()).toEqual([]);
  const indexed = await start(await plain.stop(), true);
  expect(indexed.comparison).toMatch(/^pgvector 0\.\d+\.\d+ /);
  expect(await indexed.indexes()).toEqual(['fragments_nearest', 'memories_nearest']);
  expect(await find(indexed)).toEqual(found);
  const without = await start(await indexed.stop('drop extension vector cascade'), false);
  expect(await without.indexes()).toEqual([]);
  expect(await find(without)).toEqual(found);
  await without.stop();
});

it('takes over vectors that an earlier version kept in the types of pgvector', async () => {
  const opened = await openPostgres();
  const before = createMemory(await openStore(opened), { ownerId: 'ann' }).memory;
  const { id } = await before.ingest({ project_name: 'p', content_type: 'plan', content: NOTES[0] ?? '' });
  await before.ingest({ project_name: 'p', content_type: 'testing', content: NOTES[1] ?? '', replaces: id });
  const vectors =
    'select embedding::real[]::text as text from fragments union all select embedding::real[]::text from version_fragments';
  const written = await opened.database.query(vectors);
  await toVersion3(opened.database, embedder.identity.dimensions);
  const store = await openStore(opened);
  expect(await opened.database.query(vectors)).toEqual(written);
  expect(written).toHaveLength(2);
  const types = await opened.database.query(
    "select distinct format_type(atttypid, atttypmod) as type from pg_attribute where attname ~ 'embedding$' and attrelid = any('{memories,fragments,memory_versions,version_fragments}'::regclass[])",
  );
  expect(types).toEqual([{ type: 'real[]' }]);
  const { memory } = createMemory(store, { ownerId: 'ann' });
  expect((await memory.search({ query: 'cranes', scope: 'all', limit: 5 })).results).toMatchObject([{ id }]);
  await opened.close();
});
