import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSqlMemoryStore } from '../src/store/sql-memory-store.ts';
import { checkIsolation } from './isolation.ts';
import { engines, openPostgres, type TestDatabase } from './support/databases.ts';
import { createMemory, embedder, openStore, split } from './support/memory.ts';

describe.each(engines)('%s', (_name, openEngine) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openEngine();
  });
  afterAll(() => opened.close());
  const open = (dimensions: number, onMismatch: 'refuse' | 'rebuild' = 'refuse') => {
    const space = { ...embedder.identity, dimensions };
    return createSqlMemoryStore(opened.toEngine(), { space, onMismatch, split });
  };

  it('keeps two owners apart', async () => {
    await checkIsolation(await openStore(opened), 6);
  });

  it('refuses vectors of another space until they are to be made again', async () => {
    const store = await openStore(opened);
    const { memory, ownerId } = createMemory(store);
    const { id } = await memory.ingest({ project_name: 'p', content_type: 'plan', content: 'Vectors change.' });
    await expect(open(128)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('--reembed') });
    const rebuilt = await open(128, 'rebuild');
    expect((await rebuilt.pending(ownerId, 1_000)).some((fragment) => fragment.id.startsWith(id))).toBe(true);
    await expect(openStore(opened)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('makes the vectors of an earlier lexical embedder again by itself, since no setting brings it back', async () => {
    await opened.empty();
    const model = 'lexical-v0';
    const space = { ...embedder.identity, model };
    const before = await createSqlMemoryStore(opened.toEngine(), { space, onMismatch: 'refuse', split });
    const { memory, ownerId } = createMemory(before);
    const { id } = await memory.ingest({
      project_name: 'p',
      content_type: 'plan',
      content: '潮汐表 is fetched at four.',
    });
    const store = await openStore(opened);
    expect((await store.pending(ownerId, 10)).map((fragment) => fragment.id.startsWith(id))).toEqual([true]);
    const { results } = await createMemory(store, { ownerId }).memory.search({
      query: '潮汐表',
      scope: 'all',
      limit: 5,
    });
    expect(results.map((hit) => hit.id)).toEqual([id]);
  });

  it('stores vectors of thousands of dimensions, and finds by them', async () => {
    await opened.empty();
    const store = await open(3_072);
    const long = (at: number) => Float32Array.from({ length: 3_072 }, (_, index) => (index === at ? 1 : 0));
    const { memory } = createMemory(store, {
      embed: async (texts) => texts.map((_, at) => long(at)),
      embedQuery: async () => long(0),
      scale: { cosine: { none: 0, full: 1 } },
    });
    const { id } = await memory.ingest({ project_name: 'p', content_type: 'plan', content: '三千维的向量。' });
    const { results } = await memory.search({ query: 'nothing alike', scope: 'all', limit: 5 });
    expect(results.map((hit) => hit.id)).toEqual([id]);
  });
});

it('takes vectors that pgvector does not index, and refuses a schema of a newer program', async () => {
  const opened = await openPostgres();
  const open = (dimensions: number) =>
    createSqlMemoryStore(opened.toEngine({ exactUpTo: 0 }), {
      space: { ...embedder.identity, dimensions },
      onMismatch: 'refuse',
      split,
    });
  const store = await open(4_001);
  const vector = Float32Array.from({ length: 4_001 }, (_, at) => (at === 4_000 ? 1 : 0));
  const { memory } = createMemory(store, {
    embed: async (texts) => texts.map(() => vector),
    embedQuery: async () => vector,
  });
  const { id } = await memory.ingest({ project_name: 'p', content_type: 'plan', content: '四千维的向量。' });
  expect((await memory.search({ query: 'nothing alike', scope: 'all', limit: 5 })).results).toMatchObject([{ id }]);
  await opened.database.run('update project_memory_schema set version = 99');
  await expect(open(4_001)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('newer') });
  await opened.close();
});
