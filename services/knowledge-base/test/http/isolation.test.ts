import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestService } from '../support/service.ts';

const annsDocument = {
  doc_id: 'diary',
  content: 'Ann hides the key under the mat',
  tags: ['ann-tag'],
  metadata: { user_id: 'ann' },
};
const everyCallWithout = [
  ['GET', '/documents/diary', undefined],
  ['GET', '/documents/diary?user_id=bob', undefined],
  ['PATCH', '/documents/diary', { content: 'gone' }],
  ['PATCH', '/documents/diary?user_id=bob', { content: 'gone' }],
  ['DELETE', '/documents/diary', undefined],
  ['DELETE', '/documents/diary?user_id=bob', undefined],
] as const;

describe('KB_ISOLATION=strict', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService('strict');
    await service.ask('POST', '/add', annsDocument);
    await service.ask('POST', '/add', { doc_id: 'public', content: 'The key opens the shed' });
  });
  afterAll(() => service.remove());

  it.each(everyCallWithout)('%s %s answers 404 for another user’s document', async (method, path, body) => {
    expect((await service.ask(method, path, body)).status).toBe(404);
    expect((await service.ask('GET', '/documents/diary?user_id=ann')).json.document.content).toBe(annsDocument.content);
  });

  it('refuses to add under an id that another user’s document has', async () => {
    const { status, json } = await service.ask('POST', '/add', { doc_id: 'diary', content: 'mine now' });
    expect([status, json.error.code]).toEqual([409, 'conflict']);
    expect(json.error.message).not.toContain('ann');
  });

  it('searches, lists and counts for the user named, and without one only documents of no user', async () => {
    const ids = async (path: string, body: object) => {
      const { json } = await service.ask('POST', path, body);
      return (json.results ?? json.documents).map(({ id }: { id: string }) => id);
    };
    for (const [path, extra] of [
      ['/search', { query: 'key' }],
      ['/documents/list', {}],
    ] as const) {
      expect(await ids(path, extra)).toEqual(['public']);
      expect(await ids(path, { ...extra, user_id: 'ann' })).toEqual(['diary']);
      expect(await ids(path, { ...extra, metadata_filter: { user_id: 'ann' } })).toEqual(['diary']);
      expect(await ids(path, { ...extra, user_id: 'bob' })).toEqual([]);
    }
    const stats = async (query: string) => (await service.ask('GET', `/stats${query}`)).json.stats;
    const count = (documents: number) => ({ document_count: documents, vector_count: documents });
    expect(await stats('')).toMatchObject({ ...count(1), tags: [] });
    expect(await stats('?user_id=ann')).toMatchObject({ ...count(1), tags: ['ann-tag'] });
    expect(await stats('?user_id=bob')).toMatchObject({ ...count(0), tags: [] });
  });

  it('refuses names in GBK, which would all be read as the same user', async () => {
    const [zhang, li] = ['%d5%c5%c8%fd', '%c0%ee%cb%c4'];
    for (const path of [`/stats?user_id=${zhang}`, `/documents/public?user_id=${li}`, '/stats?user_id=%ff&x=1']) {
      const { status, json } = await service.ask('GET', path);
      expect([status, json.error.message]).toEqual([400, 'the query string is not valid percent-encoded UTF-8']);
    }
    expect((await service.ask('GET', '/stats?user_id=%E5%BC%A0%E4%B8%89')).status).toBe(200);
    expect((await service.ask('GET', '/stats?user_id=100%25+%')).status).toBe(200);
  });

  it('refuses a user named by U+FFFD, in whatever field', async () => {
    const damaged = '\ufffd\ufffd';
    for (const [path, body, field] of [
      ['/add', { content: 'PIN', metadata: { user_id: damaged } }, 'metadata.user_id'],
      ['/search', { query: 'PIN', user_id: damaged }, 'user_id'],
      ['/search', { query: 'PIN', metadata_filter: { user_id: damaged } }, 'metadata_filter.user_id'],
      ['/documents/list', { metadata_filter: { user_id: { in: ['ann', damaged] } } }, 'metadata_filter.user_id'],
    ] as const) {
      const { status, json } = await service.ask('POST', path, body);
      expect([status, json.error.field]).toEqual([422, field]);
      expect(json.error.message).toContain('U+FFFD');
    }
  });
});

describe('KB_ISOLATION=off', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService('off');
    await service.ask('POST', '/add', annsDocument);
  });
  afterAll(() => service.remove());

  it('shows every document to a call that names no user', async () => {
    expect((await service.ask('GET', '/documents/diary')).status).toBe(200);
    expect((await service.ask('POST', '/search', { query: 'key' })).json.results).toHaveLength(1);
    for (const query of ['', '?user_id=ann', '?user_id=bob']) {
      const { stats } = (await service.ask('GET', `/stats${query}`)).json;
      expect(stats).toMatchObject({ document_count: 1, vector_count: 1, tags: ['ann-tag'] });
    }
  });
});
