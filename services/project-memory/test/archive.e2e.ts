import { exportPageSchema, importReportSchema } from '@contextloom/contracts';
import { silentLog } from '@contextloom/mcp-kit';
import { connectInMemory, type TestClient } from '@contextloom/mcp-kit/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createProjectMemoryServer } from '../src/build-server.ts';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import { openAny, type TestDatabase } from './support/databases.ts';
import { createMemory, openStore } from './support/memory.ts';

interface Home {
  readonly opened: TestDatabase;
  readonly memory: ProjectMemory;
  readonly client: TestClient;
}
let source: Home;
let target: Home;

async function open(): Promise<Home> {
  const opened = await openAny();
  const { memory, ownerId } = createMemory(await openStore(opened.database), { ownerId: 'ann' });
  const options = { ownerId, version: '0', log: silentLog, open: async () => memory };
  return { opened, memory, client: await connectInMemory(createProjectMemoryServer(options)) };
}

const project = { project_name: 'harbour', content_type: 'insight' } as const;
const toText = (at: number, length: number): string =>
  `The gate ${at} of the harbour is ${['green', 'locked', '打开的'][at % 3]}. ${`Step ${at * 31} along the quay. `.repeat(length)}`;

beforeAll(async () => {
  source = await open();
  const { memory } = source;
  const ids: string[] = [];
  // Some of them long, so that an export has several pages.
  for (let at = 0; at < 24; at += 1)
    ids.push((await memory.ingest({ ...project, content: toText(at, at % 8 === 0 ? 18_000 : 2) })).id);
  const [first = '', second = ''] = ids;
  for (const content of ['The first gate was painted.', 'The first gate was painted blue.'])
    await memory.ingest({ ...project, content, replaces: first });
  await memory.link({ fromId: first, toId: second, relation: 'explains' });
  target = await open();
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
        // Vectors are made later here: words alone decide.
        const { results } = await memory.search({ project_name: 'harbour', query, scope: 'all', limit: 10 });
        return results.map(({ id }) => id).sort();
      }),
    );
  expect((await idsOf(target))[3]).toEqual((await idsOf(source))[3]);
  expect(await target.memory.versions((await idsOf(source))[3]?.[0] ?? '')).toEqual(
    await source.memory.versions((await idsOf(source))[3]?.[0] ?? ''),
  );
  expect(await take()).toBe(0);
}, 300_000);

it('has nothing of other users', async () => {
  expect((await source.client.callTool('export_user', { user_id: 'bob' })).structured).toMatchObject({ lines: '' });
  const lines = { format: 'contextloom-project-memory', version: 1, lines: '' };
  const refused = await target.client.callTool('import_user', { user_id: 'bob', ...lines });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('OWNER_ID') });
});
