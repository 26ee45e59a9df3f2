import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import { createSqlMemoryStore } from '../src/store/sql-memory-store.ts';
import { openPostgres, type TestDatabase } from './support/databases.ts';
import { split } from './support/memory.ts';

const DIMENSIONS = 16;
const LARGE = 300;
const ownerId = 'ada';

/** A direction that looks random and is the same at every run; `sign` -1 is far from all of sign 1. */
function toVector(seed: number, sign: 1 | -1 = 1): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, at) => sign * (1 + Math.sin((seed + 1) * (at + 1) * 12.9898)));
}

let opened: TestDatabase;
let exact: MemoryStore;
let indexed: MemoryStore;
beforeAll(async () => {
  opened = await openPostgres();
  const space = { provider: 'test', model: 'test', dimensions: DIMENSIONS };
  const open = (exactUpTo: number) =>
    createSqlMemoryStore(opened.toEngine({ exactUpTo }), { space, onMismatch: 'refuse', split });
  [exact, indexed] = [await open(1_000_000), await open(0)];
  const write = (owner: string, key: string, number: number, embeddings: readonly Float32Array[]) =>
    exact.commit({
      project: { ownerId: owner, key },
      newId: `mem_${key}${number}`,
      content: {
        contentType: number % 3 === 0 ? 'plan' : 'testing',
        content: `Text ${number}.`,
        summary: 'Text.',
        tags: [],
        ts: 1,
        fragments: embeddings.map((embedding) => ({ content: 'Text.', embedding })),
        embedding: embeddings[0],
      },
      threshold: 2,
    });
  for (let number = 0; number < LARGE; number += 1) await write(ownerId, 'large', number, [toVector(number)]);
  for (let number = 0; number < 3; number += 1) await write(ownerId, 'small', number, [toVector(number, -1)]);
  const others = Array.from({ length: 500 }, (_, at) => toVector(2_000 + at));
  await write('bob', 'other', 0, others);
  // So few rows are read faster without an index: the planner is to take it all the same.
  await opened.database.run('analyze; set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off;');
});
afterAll(() => opened.close());

const scansOfIndex = async (name = 'fragments_nearest'): Promise<number> => {
  await opened.database.run('select pg_stat_force_next_flush()');
  const [row] = await opened.database.query<{ scans: number }>(
    'select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = $1',
    [name],
  );
  return row?.scans ?? 0;
};

/** What the store takes for the nearest of a project to a new memory. */
async function nearestTo(store: MemoryStore, key: string, embedding: Float32Array): Promise<string | undefined> {
  const content = { contentType: 'plan', content: 'New.', summary: 'New.', tags: [], ts: 1, fragments: [] } as const;
  const change = { newId: 'mem_new', content: { ...content, embedding }, threshold: -1 };
  const outcome = await store.commit({ ...change, project: { ownerId, key } });
  return outcome.status === 'stale' ? outcome.nearest?.id : undefined;
}

describe('the nearest memories by the vector index', () => {
  it('are those of an exact search: of a new memory, and of stored ones', async () => {
    const before = await scansOfIndex('memories_nearest');
    for (let seed = 0; seed < 20; seed += 1) {
      const vector = toVector(3_000 + seed);
      expect(await nearestTo(indexed, 'large', vector)).toBe(await nearestTo(exact, 'large', vector));
    }
    const ids = ['mem_large1', 'mem_large2', 'mem_small0'];
    const [wanted, found] = [
      await exact.similar({ ownerId }, ids, 0.5, 3),
      await indexed.similar({ ownerId }, ids, 0.5, 3),
    ];
    expect(wanted).toHaveLength(8);
    expect(found).toEqual(wanted);
    expect(await scansOfIndex('memories_nearest')).toBeGreaterThan(before);
  });
});

describe('a search by the vector index', () => {
  it.each([
    ['of all of an owner', { ownerId }],
    ['of a project', { ownerId, project: { key: 'large', isName: false } }],
    ['of a type', { ownerId, contentType: 'plan' as const }],
  ])('%s finds what an exact search finds, nearest first', async (_name, selection) => {
    const before = await scansOfIndex();
    let common = 0;
    for (let seed = 0; seed < 20; seed += 1) {
      const [wanted, found] = [
        await exact.findByVector(selection, toVector(1_000 + seed), 10),
        await indexed.findByVector(selection, toVector(1_000 + seed), 10),
      ];
      const ids = found.slice(0, 10).map(({ memoryId }) => memoryId);
      expect(ids[0]).toBe(wanted[0]?.memoryId);
      common += wanted.filter(({ memoryId }) => ids.includes(memoryId)).length;
    }
    expect(common).toBeGreaterThanOrEqual(0.95 * 200);
    expect(await scansOfIndex()).toBeGreaterThan(before);
  });

  it('loses nothing of a small project that the index comes upon late', async () => {
    // Without it the planner has the vectors' index alone, whatever it knows of the sizes of projects.
    await opened.database.run('drop index fragments_by_project; set hnsw.max_scan_tuples = 1;');
    const selection = { ownerId, project: { key: 'small', isName: false } };
    const found = await indexed.findByVector(selection, toVector(7), 10);
    expect(found.map(({ memoryId }) => memoryId).sort()).toEqual(['mem_small0', 'mem_small1', 'mem_small2']);
    await opened.database.run('drop index memories_by_project');
    expect(await nearestTo(indexed, 'small', toVector(7))).toBe(await nearestTo(exact, 'small', toVector(7)));
  });
});
