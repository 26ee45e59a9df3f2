import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createKnowledgeBaseServer } from '../src/build-server.ts';
import { expectMoved, fill } from './archive.contract.ts';
import { openTemporary, startService, type TemporaryKnowledgeBase, type TestService } from './support/service.ts';

let source: TemporaryKnowledgeBase;
let target: TestService;
let client: TestClient;

beforeAll(async () => {
  source = await openTemporary();
  target = await startService();
  await fill(source);
  const { knowledgeBase } = source;
  client = await connectInMemory(createKnowledgeBaseServer({ knowledgeBase, version: '0', log: silentLog }));
});
afterAll(async () => {
  await client.close();
  await source.remove();
  await target.remove();
});

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

it('moves a user to another service, over HTTP', async () => {
  const remote = createHttpKnowledgeBase({ url: target.url, newId: () => 'unused', log: silentLog });
  await expectMoved(source, target, remote);
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
