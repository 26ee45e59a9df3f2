import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askWithHeaders, startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.remove());

const add = (body: object) => service.ask('POST', '/add', body);
const search = async (body: object) => (await service.ask('POST', '/search', body)).json.results;

describe('POST /add', () => {
  it('takes the id as doc_id and as id (fault: a save with doc_id was rejected because id was required)', async () => {
    const newer = await add({ doc_id: 'named-doc-id', content: 'Grandmother grows tomatoes' });
    expect(newer.status).toBe(200);
    expect(newer.json).toEqual({ success: true, document_id: 'named-doc-id', message: expect.any(String) });
    expect((await add({ id: 'named-id', content: 'Grandfather grows roses' })).json.document_id).toBe('named-id');
    expect((await add({ id: 'both', doc_id: 'both', content: 'Both grow herbs' })).json.document_id).toBe('both');
  });

  it('makes an id for a document without one', async () => {
    const [first, second] = await Promise.all([add({ content: 'No name' }), add({ content: 'No name' })]);
    expect(first.json.document_id).toEqual(expect.any(String));
    expect(first.json.document_id).not.toBe(second.json.document_id);
  });

  it('replaces the whole document under the same id, and counts it once (fault: counted twice)', async () => {
    const count = async () => (await service.ask('GET', '/stats')).json.stats;
    await add({ doc_id: 'twice', content: 'first words', tags: ['old-tag'], metadata: { colour: 'red' } });
    const before = await count();
    await add({ doc_id: 'twice', content: 'second words' });
    const after = await count();
    expect([after.document_count, after.vector_count]).toEqual([before.document_count, before.vector_count]);
    expect(after.tags).not.toContain('old-tag');
    const { document } = (await service.ask('GET', '/documents/twice')).json;
    expect(document).toMatchObject({ content: 'second words', tags: [], metadata: {}, version: 2 });
    expect(await search({ query: 'first words', tags: ['old-tag'] })).toEqual([]);
  });

  it('counts an explicit null for an optional field as absent, but keeps null inside metadata', async () => {
    const body = { id: null, doc_id: 'nulls', content: 'Nulls', tags: null, metadata: { nothing: null } };
    expect((await add(body)).json.document_id).toBe('nulls');
    const { document } = (await service.ask('GET', '/documents/nulls')).json;
    expect(document).toMatchObject({ tags: [], metadata: { nothing: null } });
  });

  it('tolerates fields that it does not know', async () => {
    expect((await add({ doc_id: 'extra', content: 'Extra', embedding_model: 'x' })).status).toBe(200);
  });
});

describe('POST /batch_add', () => {
  it.each([
    ['a bare array', (documents: unknown[]) => documents],
    ['{documents: […]}', (documents: unknown[]) => ({ documents })],
  ])('takes %s and answers the ids in order', async (_name, wrap) => {
    const documents = [
      { id: 'batch-1', content: 'one', doc_id: null },
      { doc_id: 'batch-2', content: 'two', metadata: null },
      { content: 'three' },
    ];
    const { status, json } = await service.ask('POST', '/batch_add', wrap(documents));
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      document_ids: ['batch-1', 'batch-2', expect.any(String)],
      message: '3 documents stored.',
    });
  });

  it('stores none when one is refused', async () => {
    const documents = [
      { doc_id: 'whole-1', content: 'fine' },
      { doc_id: 'whole-2', content: '' },
    ];
    expect((await service.ask('POST', '/batch_add', documents)).status).toBe(422);
    expect((await service.ask('GET', '/documents/whole-1')).status).toBe(404);
  });

  it('stores none when one of them has the id of another user’s document', async () => {
    await add({ doc_id: 'taken', content: 'mine', metadata: { user_id: 'ann' } });
    const documents = [
      { doc_id: 'free', content: 'his', metadata: { user_id: 'bob' } },
      { doc_id: 'taken', content: 'his', metadata: { user_id: 'bob' } },
    ];
    const { status, json } = await service.ask('POST', '/batch_add', { documents });
    expect([status, json.error.code]).toEqual([409, 'conflict']);
    expect((await service.ask('GET', '/documents/free?user_id=bob')).status).toBe(404);
  });
});

describe('POST /search', () => {
  it('answers each result flat and nested at once (fault: a reader of the other shape saw empty memories)', async () => {
    await add({ doc_id: 'shape', content: 'The violin hangs in the hall', tags: ['music'], metadata: { year: 1999 } });
    const [best] = await search({ query: 'violin', tags: ['music'] });
    const document = {
      id: 'shape',
      content: 'The violin hangs in the hall',
      tags: ['music'],
      metadata: { year: 1999 },
    };
    expect(best).toEqual({ ...document, score: expect.any(Number), relevance: 1, document });
    expect(best.score).toBeGreaterThan(0);
    expect(best.score).toBeLessThanOrEqual(1);
  });

  it('finds Chinese words of one and two characters', async () => {
    await add({ doc_id: 'tea', content: '小明每天早上喝龙井茶', tags: ['zh'] });
    await add({ doc_id: 'cat', content: '小红养了一只黑猫', tags: ['zh'] });
    expect((await search({ query: '茶', tags: ['zh'] }))[0].id).toBe('tea');
    expect((await search({ query: '黑猫', tags: ['zh'] }))[0].id).toBe('cat');
  });

  it('filters by tags and metadata, null counting as absent', async () => {
    await add({ doc_id: 'f-1', content: 'filter me', tags: ['f', 'x'], metadata: { n: 1 } });
    await add({ doc_id: 'f-2', content: 'filter me', tags: ['f', 'y'], metadata: { n: 2 } });
    const found = async (filter: object) =>
      (await search({ query: 'filter', ...filter })).map(({ id }: { id: string }) => id).sort();
    expect(await found({ tags: ['f'], tags_any: null, metadata_filter: null, top_k: null })).toEqual(['f-1', 'f-2']);
    expect(await found({ tags_all: ['f', 'y'] })).toEqual(['f-2']);
    expect(await found({ tags_any: ['x', 'none'] })).toEqual(['f-1']);
    expect(await found({ tags: ['f'], metadata_filter: { n: { gte: 2 } } })).toEqual(['f-2']);
    expect(await found({ tags: ['f'], metadata_filter: { $or: [{ n: { $lt: 2 } }, { n: 7 }] } })).toEqual(['f-1']);
  });

  it('never lets a document without the key through a filter (fault: one user saw another’s)', async () => {
    await add({ doc_id: 'keyless', content: 'secret garden plan' });
    await add({ doc_id: 'other', content: 'secret garden plan', metadata: { user_id: 'other-gardener' } });
    for (const condition of ['gardener', { $ne: 'x' }, { nin: ['x'] }, { gt: '0' }]) {
      const filter = { user_id: condition };
      const { json } = await service.ask('POST', '/search', { query: 'secret garden plan', metadata_filter: filter });
      for (const { id } of json.results ?? []) expect(['keyless', 'other']).not.toContain(id);
    }
  });

  it('finds a user’s one memory however many nearer ones others have (fault: filtering after top-k)', async () => {
    const nearer = Array.from({ length: 200 }, (_, at) => ({
      doc_id: `near-${at}`,
      content: 'My favourite dish is mushroom risotto',
      metadata: { user_id: 'gourmet' },
    }));
    await service.ask('POST', '/batch_add', nearer);
    await add({ doc_id: 'far', content: 'Sometimes I cook a dish of rice', metadata: { user_id: 'plain' } });
    const query = { query: 'favourite dish mushroom risotto', top_k: 1 };
    expect(await search({ ...query, metadata_filter: { user_id: 'plain' } })).toMatchObject([{ id: 'far' }]);
    expect(await search({ ...query, user_id: 'plain' })).toMatchObject([{ id: 'far' }]);
  });
});

describe('one document', () => {
  it('is read, changed and deleted under the version that its ETag names', async () => {
    await add({ doc_id: 'life', content: 'born', tags: ['t'], metadata: { a: 1, b: 2 } });
    const read = await service.ask('GET', '/documents/life');
    expect(read.headers.get('etag')).toBe('"1"');
    expect(await askWithHeaders(service.url, '/documents/life', { 'if-none-match': '"1"' })).toBe(304);

    const patch = { metadata: { b: null, c: 3 }, content: null };
    const changed = await service.ask('PATCH', '/documents/life', patch, { 'if-match': '"1"' });
    expect(changed.headers.get('etag')).toBe('"2"');
    expect(changed.json.document).toMatchObject({ content: 'born', tags: ['t'], metadata: { a: 1, c: 3 }, version: 2 });

    for (const [method, body] of [
      ['PATCH', { content: 'late' }],
      ['DELETE', undefined],
    ] as const) {
      const { status, json } = await service.ask(method, '/documents/life', body, { 'if-match': '"1"' });
      expect([status, json.error.code]).toEqual([412, 'precondition_failed']);
    }
    expect((await service.ask('DELETE', '/documents/life', undefined, { 'if-match': '"2"' })).status).toBe(200);
    expect((await service.ask('GET', '/documents/life')).status).toBe(404);
    expect((await service.ask('DELETE', '/documents/life')).status).toBe(404);
  });

  it('heeds every form of If-Match', async () => {
    await add({ doc_id: 'etag', content: 'tagged' });
    const patch = (ifMatch: string) =>
      service.ask('PATCH', '/documents/etag', { tags: [] }, { 'if-match': ifMatch }).then(({ status }) => status);
    expect(await patch('*')).toBe(200);
    expect(await patch('"9", "2"')).toBe(200);
    expect(await patch('"9", "8"')).toBe(412);
    expect(await patch('W/"3"')).toBe(412);
    expect(await patch('"three"')).toBe(412);
    expect(await patch('3')).toBe(400);
  });

  it('keeps any id apart in its address', async () => {
    const ids = ['a/b', 'a%2Fb', 'a b', 'ä?x=1&y#z', '文档', '%', '...', 'list', '__proto__'];
    await service.ask(
      'POST',
      '/batch_add',
      ids.map((id) => ({ id, content: `text of ${id}` })),
    );
    for (const id of ids) {
      const { json } = await service.ask('GET', `/documents/${encodeURIComponent(id)}`);
      expect(json.document).toMatchObject({ id, content: `text of ${id}` });
    }
  });

  it('is listed with all that a filter leaves, page by page', async () => {
    const documents = Array.from({ length: 5 }, (_, at) => ({ id: `page-${at}`, content: 'page', tags: ['paged'] }));
    await service.ask('POST', '/batch_add', documents);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await service.ask('POST', '/documents/list', { tags: ['paged'], limit: 2, cursor });
      expect(json).toMatchObject({ success: true, total: 5 });
      seen.push(...json.documents.map(({ id }: { id: string }) => id));
      cursor = json.next_cursor;
    } while (cursor !== undefined);
    expect(seen.sort()).toEqual(documents.map(({ id }) => id));
  });
});

describe('the other routes', () => {
  it('leads from the root to the reference', async () => {
    const response = await fetch(`${service.url}/`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
    const followed = await service.ask('GET', '/');
    expect([followed.status, followed.text]).toEqual([200, expect.stringContaining('<h1>')]);
  });

  it('answers health, save and rebuild_index', async () => {
    expect((await service.ask('GET', '/health')).json).toEqual({
      success: true,
      status: 'running',
      store: { kind: 'embedded', status: 'running' },
    });
    expect((await service.ask('POST', '/save')).json).toEqual({ success: true, message: expect.any(String) });
    const { document_count } = (await service.ask('GET', '/stats')).json.stats;
    expect((await service.ask('POST', '/rebuild_index', {})).json).toMatchObject({ success: true });
    expect((await service.ask('GET', '/stats')).json.stats).toMatchObject({
      document_count,
      vector_count: document_count,
      status: 'running',
    });
  });
});
