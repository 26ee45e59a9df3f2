import { type DocumentInput, type ExportPage, exportPageSchema, searchRequestSchema } from '@contextloom/contracts';
import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { silentLog } from '@contextloom/mcp-kit';
import { connectInMemory, type TestClient } from '@contextloom/mcp-kit/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createKnowledgeBaseServer } from '../src/build-server.ts';
import { openTemporary, startService, type TemporaryKnowledgeBase, type TestService } from './support/service.ts';

let source: TemporaryKnowledgeBase;
let target: TestService;
let client: TestClient;

const toDocument = (user: string | undefined, at: number): DocumentInput => ({
  doc_id: `${user}-${at}`,
  // Long ones, so that an export has several pages.
  content: `${user} walked along quay ${at % 7} 码头 ${'and on '.repeat(at % 20 === 0 ? 60_000 : 3)}`,
  tags: at % 2 === 0 ? ['memory'] : [],
  metadata: {
    importance: at % 10,
    occurred_at: `2026-01-${10 + (at % 15)}`,
    ...(user !== undefined && { user_id: user }),
  },
  ...(at % 5 === 0 && { keys: [`the ${at}th walk`] }),
});

beforeAll(async () => {
  source = await openTemporary();
  target = await startService();
  const documents = Array.from({ length: 60 }, (_, at) => [toDocument('ann', at), toDocument('bob', at)]).flat();
  for (let from = 0; from < 120; from += 40) await source.knowledgeBase.add(documents.slice(from, from + 40));
  await source.knowledgeBase.add([toDocument(undefined, 0)]);
  await source.knowledgeBase.update({ id: 'ann-3', userId: 'ann' }, { content: 'ann stayed at home' });
  const { knowledgeBase } = source;
  client = await connectInMemory(createKnowledgeBaseServer({ knowledgeBase, version: '0', log: silentLog }));
});
afterAll(async () => {
  await client.close();
  await source.remove();
  await target.remove();
});

async function exportPages(): Promise<readonly ExportPage[]> {
  const pages: ExportPage[] = [];
  for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
    const { structured } = await client.callTool('export_user', { user_id: 'ann', ...(cursor && { cursor }) });
    const page = exportPageSchema.parse(structured);
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

const searchesOf = ({ knowledgeBase }: TemporaryKnowledgeBase) =>
  Promise.all(
    Array.from({ length: 30 }, (_, at) => `walk ${at} along quay ${at % 7} 码头`).map((query) =>
      knowledgeBase.search(searchRequestSchema.parse({ query, user_id: 'ann', top_k: 10 })),
    ),
  );

it('lists who has documents, and how many', async () => {
  const { structured } = await client.callTool('list_users', {});
  const counts = [{ what: 'documents', count: 60 }];
  expect(structured).toEqual({
    users: ['ann', 'bob'].map((user_id) => ({ user_id, counts })),
    bytes: expect.any(Number),
  });
  expect((await client.callTool('list_users', { after: 'ann', limit: 1 })).structured).toMatchObject({
    users: [{ user_id: 'bob' }],
  });
});

it('hands out the documents of a user, which an empty store takes in: same ids, versions and searches', async () => {
  const pages = await exportPages();
  expect(pages.length).toBeGreaterThan(1);
  const lines = pages.map((page) => page.lines).join('');
  expect(lines).not.toContain('bob');
  const remote = createHttpKnowledgeBase({ url: target.url, newId: () => 'unused', log: silentLog });
  const importAll = async () => {
    const reports = [];
    for (const page of pages) reports.push(await remote.importUser('ann', page.lines.trimEnd().split('\n')));
    return reports.reduce((sum, one) => ({
      ...one,
      imported: sum.imported + one.imported,
      known: sum.known + one.known,
    }));
  };
  expect(await importAll()).toEqual({ imported: 60, known: 0, refused: [], refused_count: 0 });
  expect(await importAll()).toEqual({ imported: 0, known: 60, refused: [], refused_count: 0 });
  const address = { id: 'ann-3', userId: 'ann' };
  expect(await target.knowledgeBase.get(address)).toEqual(await source.knowledgeBase.get(address));
  // A document of no user is found by every user, and is in no user's export.
  await target.knowledgeBase.add([toDocument(undefined, 0)]);
  expect(await searchesOf(target)).toEqual(await searchesOf(source));
  expect((await remote.users({ limit: 10 })).users).toEqual([
    { user_id: 'ann', counts: [{ what: 'documents', count: 60 }] },
  ]);
});

it("takes in nothing that is not the user's, and names the line", async () => {
  const document = await source.knowledgeBase.get({ id: 'bob-1', userId: 'bob' });
  const ofBob = JSON.stringify(document);
  const taken = JSON.stringify({ ...document, metadata: { user_id: 'ann' }, version: 99 });
  const report = await source.knowledgeBase.importUser('ann', [ofBob, taken, '{"id":"x"}', '{']);
  expect(report).toMatchObject({ imported: 0, known: 0, refused_count: 4 });
  expect(report.refused.map(({ record, problem }) => `${record}: ${problem}`)).toEqual([
    'line 1: the document "bob-1" is not of this user',
    'line 2: the id "bob-1" is taken by a document of another owner',
    expect.stringMatching(/^line 3: content/),
    'line 4: is not JSON',
  ]);
  expect(await source.knowledgeBase.get({ id: 'bob-1', userId: 'bob' })).toEqual(document);
  const { text } = await client.callTool('import_user', { user_id: 'ann', format: 'other', version: 1, lines: '' });
  expect(text).toContain('format must be contextloom-documents');
});
