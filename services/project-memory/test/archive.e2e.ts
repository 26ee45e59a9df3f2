import { exportPageSchema, importReportSchema } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createProjectMemoryServer } from '../src/build-server.ts';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import type { MemoryStore } from '../src/domain/store.ts';
import { openEmbedded, openPostgres, type TestDatabase } from './support/databases.ts';
import { createMemory, openStore } from './support/memory.ts';

interface Home {
  readonly opened: TestDatabase;
  readonly memory: ProjectMemory;
  readonly store: MemoryStore;
  readonly client: TestClient;
}
let source: Home;
let target: Home;

async function open(opened: TestDatabase): Promise<Home> {
  const store = await openStore(opened);
  const { memory, ownerId } = createMemory(store, { ownerId: 'ann' });
  const options = { ownerId, version: '0', log: silentLog, open: async () => memory };
  return { opened, memory, store, client: await connectInMemory(createProjectMemoryServer(options)) };
}

const project = { project_name: 'harbour', content_type: 'insight' } as const;
const toText = (at: number, length: number): string =>
  `The gate ${at} of the harbour is ${['green', 'locked', '打开的'][at % 3]}. ${`Step ${at * 31} along the quay. `.repeat(length)}`;

beforeAll(async () => {
  source = await open(await openEmbedded());
  const { memory } = source;
  const ids: string[] = [];
  // Some of them long, so that an export has several pages.
  for (let at = 0; at < 24; at += 1)
    ids.push((await memory.ingest({ ...project, content: toText(at, at % 8 === 0 ? 18_000 : 2) })).id);
  const [first = '', second = ''] = ids;
  for (const content of ['The first gate was painted.', 'The first gate was painted blue.'])
    await memory.ingest({ ...project, content, replaces: first });
  await memory.link({ fromId: first, toId: second, relation: 'explains' });
  // A database of TEST_DATABASE_URL is emptied when it is opened: one of the two alone can be it.
  target = await open(await openPostgres());
}, 300_000);
afterAll(async () => {
  for (const { client, opened } of [source, target]) {
    await client.close();
    await opened.close();
  }
});

it('moves the memories of an owner, with the same ids and versions, also when the export comes twice', async () => {
  const pages: string[] = [];
  for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
    const args = { user_id: 'ann', ...(cursor !== undefined && { cursor }) };
    const page = exportPageSchema.parse((await source.client.callTool('export_user', args)).structured);
    pages.push(page.lines);
    cursor = page.next_cursor;
  }
  expect(pages.length).toBeGreaterThan(1);
  const take = async () => {
    const about = { user_id: 'ann', format: 'contextloom-project-memory', version: 1 };
    const reports = [];
    for (const lines of pages)
      reports.push(
        importReportSchema.parse((await target.client.callTool('import_user', { ...about, lines })).structured),
      );
    expect(reports.flatMap(({ refused }) => refused)).toEqual([]);
    return reports.reduce((sum, { imported }) => sum + imported, 0);
  };
  expect(await take()).toBeGreaterThan(24);
  const listed = (await source.client.callTool('list_users', {})).structured;
  expect(listed).toMatchObject({ users: [{ user_id: 'ann' }] });
  const idsOf = async ({ memory }: Home) =>
    Promise.all(
      ['green gate', 'locked', '打开', 'painted blue'].map(async (query) => {
        // Vectors are made later here: what has no word of the query is found in the source alone, behind what has.
        const { results } = await memory.search({ project_name: 'harbour', query, scope: 'all', limit: 10 });
        return results.slice(0, 1).map(({ id }) => id);
      }),
    );
  expect((await idsOf(target))[3]).toEqual((await idsOf(source))[3]);
  expect(await target.memory.versions((await idsOf(source))[3]?.[0] ?? '')).toEqual(
    await source.memory.versions((await idsOf(source))[3]?.[0] ?? ''),
  );
  expect(await take()).toBe(0);
}, 300_000);

it('has nothing of other users, and says what of them its database keeps', async () => {
  expect((await source.client.callTool('export_user', { user_id: 'bob' })).structured).toMatchObject({
    lines: '',
    unreached: [],
  });
  expect((await source.client.callTool('list_users', {})).structured).not.toHaveProperty('unreached');
  const page = { format: 'contextloom-project-memory', version: 1, lines: '{"kind":"project"}\n{"kind":"memory"}\n' };
  const { structured } = await target.client.callTool('import_user', { user_id: 'bob', ...page });
  expect(structured).toMatchObject({ imported: 0, refused_count: 2 });
  expect(structured).toMatchObject({ refused: [{ problem: expect.stringContaining('OWNER_ID') }] });
  const { memory: bobs } = createMemory(source.store, { ownerId: 'bob' });
  await bobs.ingest({ ...project, content: toText(1, 2) });
  const why = expect.stringContaining('OWNER_ID');
  const unreached = [{ what: 'memories of projects of another owner: 1', why }];
  expect((await source.client.callTool('list_users', {})).structured).toMatchObject({ unreached });
  const owned = { unreached: [{ what: 'memories of projects of the user', why }] };
  expect((await source.client.callTool('export_user', { user_id: 'bob' })).structured).toMatchObject(owned);
  expect((await source.client.callTool('forget_user', { user_id: 'bob' })).structured).toMatchObject({
    unreached: expect.arrayContaining([expect.objectContaining(owned.unreached[0] ?? {})]),
  });
}, 300_000);
