import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askWithHeaders, startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.remove());

const long = 'x'.repeat(257);
const documents = (third: object) => [{ content: 'a' }, { content: 'b' }, { content: 'c' }, third];

describe('a value that the schema refuses', () => {
  it.each<[string, string, unknown, RegExp]>([
    ['POST', '/add', {}, /^content is required/],
    ['POST', '/add', { content: null }, /^content is required/],
    ['POST', '/add', { content: 7 }, /^content must be string/],
    ['POST', '/add', { content: ' \n' }, /^content must not be empty/],
    ['POST', '/add', { content: 'x'.repeat(1_000_001) }, /^content must be at most 1000000 characters/],
    ['POST', '/add', '{"content":"\\ud800"}', /^content contains a lone surrogate/],
    ['POST', '/add', { content: 'x', tags: 'memory' }, /^tags must be array/],
    ['POST', '/add', { content: 'x', tags: ['ok', 5] }, /^tags\[1\] must be string/],
    ['POST', '/add', { content: 'x', tags: Array(65).fill('t') }, /^tags must be at most 64 tags/],
    ['POST', '/add', { content: 'x', tags: [long] }, /^tags\[0\] must be 1 to 256 characters/],
    ['POST', '/add', { content: 'x', metadata: [] }, /^metadata must be an object/],
    ['POST', '/add', { content: 'x', metadata: { a: { b: '\ud800' } } }, /^metadata\.a\.b contains a lone surrogate/],
    ['POST', '/add', { content: 'x', doc_id: '' }, /^doc_id must be 1 to 256 characters/],
    ['POST', '/add', { content: 'x', doc_id: '..' }, /^doc_id must not be "\." or "\.\."/],
    ['POST', '/add', { content: 'x', id: 'a\u0000b' }, /^id must not contain control characters/],
    ['POST', '/add', { content: 'x', id: 'a', doc_id: 'b' }, /^id must equal doc_id/],
    ['POST', '/add', 'null', /^the input must be object/],
    ['POST', '/add', '"text"', /^the input must be object/],
    ['POST', '/batch_add', documents({ content: 'd', tags: [1] }), /^documents\[3\]\.tags\[0\] must be string/],
    ['POST', '/batch_add', { documents: documents({}) }, /^documents\[3\]\.content is required/],
    ['POST', '/batch_add', Array(1_001).fill({ content: 'x' }), /^documents must be at most 1000 documents/],
    ['POST', '/batch_add', {}, /^documents is required/],
    ['POST', '/search', {}, /^query is required/],
    ['POST', '/search', { query: 'x', top_k: 0 }, /^top_k must be at least 1/],
    ['POST', '/search', { query: 'x', top_k: 101 }, /^top_k must be at most 100/],
    ['POST', '/search', { query: 'x', top_k: 2.5 }, /^top_k must be int/],
    ['POST', '/search', { query: 'x', top_k: '5' }, /^top_k must be number/],
    ['POST', '/search', { query: 'x', metadata_filter: { n: { $regex: 'x' } } }, /^metadata_filter\.n\.\$regex /],
    ['POST', '/search', { query: 'x', metadata_filter: { n: { gt: 'not a date' } } }, /^metadata_filter\.n\.gt /],
    ['POST', '/search', { query: 'x', metadata_filter: { $or: 'x' } }, /^metadata_filter\.\$or /],
    ['POST', '/documents/list', { limit: 201 }, /^limit must be at most 200/],
    ['POST', '/documents/list', { cursor: 'not-a-cursor' }, /^cursor /],
    ['PATCH', '/documents/x', { tags: [''] }, /^tags\[0\] must be 1 to 256 characters/],
    ['GET', `/documents/${long}`, undefined, /^id must be 1 to 256 characters/],
    ['GET', '/documents/x?user_id=', undefined, /^user_id must be 1 to 256 characters/],
    ['GET', '/documents/x?user_id=a&user_id=b', undefined, /^user_id must be string/],
    ['GET', '/stats?user_id=%00', undefined, /^user_id must not contain control characters/],
  ])('%s %s with %j is answered 422 and names the field', async (method, path, body, message) => {
    const { status, json } = await service.ask(method, path, body);
    expect(status).toBe(422);
    expect(json).toEqual({
      success: false,
      error: expect.objectContaining({ code: 'invalid' }),
      detail: json.error.message,
    });
    expect(json.error.message).toMatch(message);
  });
});

describe('a request that is no JSON for a route of ours', () => {
  const codeOf = async (...args: Parameters<TestService['ask']>) => {
    const { status, json } = await service.ask(...args);
    expect(json).toMatchObject({ success: false, detail: json.error.message });
    return [status, json.error.code];
  };

  it('is 400 when malformed', async () => {
    expect(await codeOf('POST', '/add', '{"content": ')).toEqual([400, 'malformed']);
    expect(await codeOf('GET', '/documents/%E0%A4%A')).toEqual([400, 'malformed']);
  });

  it('is 404 for a route that there is not', async () => {
    expect(await codeOf('GET', '/nothing')).toEqual([404, 'not_found']);
    expect(await codeOf('GET', '/add')).toEqual([404, 'not_found']);
    expect(await codeOf('PUT', '/documents/x', { content: 'x' })).toEqual([404, 'not_found']);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'is 415 as %s, which a form of a foreign page can send',
    async (type) => {
      const body = '{"content":"smuggled"}';
      expect(await codeOf('POST', '/add', body, { 'content-type': type })).toEqual([415, 'unsupported_media_type']);
    },
  );

  it('is 413 with a body of 20 MB, and the service goes on', async () => {
    const body = JSON.stringify({ content: 'x'.repeat(20_000_000) });
    expect(await codeOf('POST', '/add', body)).toEqual([413, 'too_large']);
    expect((await service.ask('GET', '/health')).status).toBe(200);
  });

  it('is 413 too when its length is not announced', async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 20; at += 1) controller.enqueue(new TextEncoder().encode('x'.repeat(1_000_000)));
        controller.close();
      },
    });
    const sending = fetch(`${service.url}/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: chunks,
      duplex: 'half',
    });
    expect((await sending).status).toBe(413);
  });
});

describe('a request from elsewhere', () => {
  it.each([
    [{ host: 'evil.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: 'kb.example.org' }, 200],
    [{ origin: 'http://localhost:5173' }, 200],
  ])('with %j is answered %i on every door', async (headers, status) => {
    expect(await askWithHeaders(service.url, '/stats', headers)).toBe(status);
    expect(await askWithHeaders(service.url, '/docs', headers)).toBe(status);
    if (status === 403) expect(await askWithHeaders(service.url, '/mcp', headers)).toBe(403);
  });
});
