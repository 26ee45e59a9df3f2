import { connectOverHttp } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import { openEmbedded, type TestDatabase } from './support/databases.ts';
import { serve, type TestHttp } from './support/http.ts';
import { createMemory, NOW, NOW_S, openStore } from './support/memory.ts';

let opened: TestDatabase;
let store: MemoryStore;
let http: TestHttp;
let ownerId: string;
beforeAll(async () => {
  opened = await openEmbedded();
  store = await openStore(opened);
  const made = createMemory(store);
  ownerId = made.ownerId;
  http = await serve(made.memory, ownerId);
});
afterAll(async () => {
  await http.close();
  await opened.close();
});

const note = { project_name: 'agent-mem', content_type: 'development', content: '检索分两个阶段：先 search，再 get。' };
/** A text that no index compresses. */
const toLongText = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919 + at ** 2 * 31) % 20_000))).join('');
const path = (route: string, query: Record<string, string>) => `${route}?${new URLSearchParams(query)}`;

describe('the REST API', () => {
  it('takes a memory in, finds it and gives it back', async () => {
    const { status, json } = await http.request('POST', '/ingest/memory', {
      ...note,
      ts: NOW_S * 1_000,
      owner_id: null,
    });
    expect({ status, json }).toEqual({ status: 200, json: { id: expect.any(String), status: 'created', ts: NOW_S } });
    const found = await http.request('GET', path('/memories/search', { query: '两个阶段', project_name: 'agent-mem' }));
    expect(found.json).toMatchObject({
      results: [{ id: json.id, snippet: note.content }],
      metadata: { next_action: 'use_ids_to_call_mem_get' },
    });
    const read = await http.request('GET', `/memories?ids=mem_gone,${json.id}&ids=mem_other`);
    expect(read.json.results).toMatchObject([{ id: json.id, content: note.content, content_type: 'development' }]);
    expect((await http.request('GET', path('/memories/timeline', { days: '1' }))).json.results).toHaveLength(1);
    expect((await http.request('GET', '/projects')).json.results).toMatchObject([
      { memory_count: 1, owner_id: ownerId },
    ]);
    expect((await http.request('GET', `/memories/${json.id}/versions`)).json.results).toHaveLength(1);
    expect((await http.request('GET', `/arbitrations?id=${json.id}`)).json.results).toEqual([]);
  });

  it('links memories, shows them, and reads the past', async () => {
    const ids: string[] = [];
    for (const content of ['Tiles are rendered on the server.', '登录用单点登录。']) {
      ids.push((await http.request('POST', '/ingest/memory', { ...note, project_name: 'links', content })).json.id);
    }
    const [from_id = '', to_id = ''] = ids;
    const linked = await http.request('POST', '/links', { from_id, to_id, relation: 'explains' });
    expect(linked).toEqual({ status: 200, json: { from_id, to_id, relation: 'explains', status: 'created' } });
    const read = await http.request('GET', path('/memories', { ids: to_id, include_related: 'true' }));
    expect(read.json.results[0].related).toMatchObject([{ id: from_id, relation: 'explains', direction: 'incoming' }]);
    const query = { query: 'tiles', project_name: 'links', include_related: 'yes' };
    const found = await http.request('GET', path('/memories/search', query));
    expect(found.json.results[0].related).toMatchObject([{ id: to_id, direction: 'outgoing' }]);
    const past = await http.request('GET', path('/memories/search', { query: 'tiles', as_of: '1000000000' }));
    expect(past.json.results).toEqual([]);
    expect((await http.request('GET', `/memories/${from_id}/links`)).json.results).toHaveLength(1);
    const removed = await http.request('DELETE', path('/links', { from_id, to_id }));
    expect(removed).toEqual({ status: 200, json: { removed: 1 } });
  });

  it('answers an unknown project with nothing', async () => {
    const { status, json } = await http.request(
      'GET',
      path('/memories/search', { query: 'search', project_key: 'no' }),
    );
    expect({ status, results: json.results }).toEqual({ status: 200, results: [] });
  });

  const body = (extra: Record<string, unknown>) => ['POST', '/ingest/memory', { ...note, ...extra }] as const;
  const get = (route: string, query: Record<string, string>) => ['GET', path(route, query), undefined] as const;
  const many = Array.from({ length: 11 }, (_, at) => `mem_${at}`).join(',');

  it.each([
    ['ten ids', get('/memories', { ids: many.slice(0, many.lastIndexOf(',')) })],
    ['a query of two characters', get('/memories/search', { query: '猫咪' })],
    ['a query of a thousand', get('/memories/search', { query: '猫'.repeat(1_000) })],
    ['limit 100', get('/memories/search', { query: 'cat', limit: '100' })],
    ['3650 days', get('/memories/timeline', { days: '3650' })],
    ['every scope', get('/memories/search', { query: 'cat', scope: 'insight' })],
    ['a time ten minutes ahead', body({ ts: NOW_S + 600 })],
    ['nanoseconds', body({ ts: NOW_S * 1e9 })],
    ['a path instead of a name', body({ project_name: undefined, project_path: '/srv/agent-mem' })],
    ['a long path next to a name', body({ project_path: `/${toLongText(4_000)}` })],
    ['an id that can be none', get('/memories', { ids: '\0' })],
  ])('accepts %s', async (_name, [method, target, sent]) => {
    expect(await http.request(method, target, sent)).toMatchObject({ status: 200 });
  });

  it.each([
    ['eleven ids', get('/memories', { ids: many }), 400, 'ERR_INVALID'],
    ['no ids', get('/memories', { ids: ' ,' }), 400, 'ERR_INVALID'],
    ['a query of one character', get('/memories/search', { query: '猫' }), 400, 'ERR_INVALID'],
    ['a query of 1001', get('/memories/search', { query: '猫'.repeat(1_001) }), 400, 'ERR_INVALID'],
    ['limit 0', get('/memories/search', { query: 'cat', limit: '0' }), 400, 'ERR_INVALID'],
    ['limit 101', get('/memories/search', { query: 'cat', limit: '101' }), 400, 'ERR_INVALID'],
    ['a limit that is empty', get('/projects', { limit: '' }), 400, 'ERR_INVALID'],
    ['3651 days', get('/memories/timeline', { days: '3651' }), 400, 'ERR_INVALID'],
    ['an unknown scope', get('/memories/search', { query: 'cat', scope: 'source' }), 400, 'ERR_INVALID'],
    ['an unknown query key', get('/memories/search', { query: 'cat', colour: 'blue' }), 400, 'ERR_INVALID'],
    ['an unknown field', body({ source: 'watcher' }), 400, 'ERR_INVALID'],
    ['a type that is none of the five', body({ content_type: 'story' }), 400, 'ERR_INVALID'],
    ['no project', body({ project_name: undefined }), 400, 'ERR_INVALID'],
    ['a path too long for a key', body({ project_name: undefined, project_path: toLongText(501) }), 400, 'ERR_INVALID'],
    ['a time further ahead', body({ ts: NOW_S + 601 }), 400, 'ERR_INVALID'],
    ['a text with NUL', body({ content: 'a\0b' }), 400, 'ERR_INVALID'],
    ['a text that is too large', body({ content: 'x'.repeat(1_000_001) }), 413, 'ERR_TOO_LARGE'],
    ['a body that is no JSON', ['POST', '/ingest/memory', '{'] as const, 400, 'ERR_MALFORMED'],
    ['another owner who reads', get('/memories/search', { query: 'cat', owner_id: 'eve' }), 403, 'ERR_OWNER_MISMATCH'],
    ['another owner who writes', body({ owner_id: 'eve' }), 403, 'ERR_OWNER_MISMATCH'],
    ['a link to nothing', ['POST', '/links', { from_id: 'mem_a', to_id: 'mem_b' }] as const, 404, 'ERR_NOT_FOUND'],
    ['a link to itself', ['POST', '/links', { from_id: 'mem_a', to_id: 'mem_a' }] as const, 400, 'ERR_INVALID'],
    ['a time that is none', get('/memories', { ids: 'mem_a', as_of: 'noon' }), 400, 'ERR_INVALID'],
    ['a flag that is none', get('/memories', { ids: 'mem_a', include_related: 'maybe' }), 400, 'ERR_INVALID'],
    ['a memory that is not there', get('/memories/mem_none/versions', {}), 404, 'ERR_NOT_FOUND'],
    ['a route that is not there', get('/memory', {}), 404, 'ERR_NOT_FOUND'],
  ])('refuses %s', async (_name, [method, target, sent], status, code) => {
    const answer = await http.request(method, target, sent);
    expect(answer).toEqual({
      status,
      json: { error: expect.any(String), message: expect.any(String), code, timestamp: NOW.toISOString() },
    });
  });

  it('takes a megabyte, and refuses bytes that are no UTF-8', async () => {
    const content = `${'One line of a long log, with the number 4711 in it.\n'.repeat(19_000)}`;
    expect(content.length).toBeLessThan(1_000_000);
    expect(await http.request('POST', '/ingest/memory', { ...note, project_name: 'large', content })).toMatchObject({
      status: 200,
    });
    const response = await fetch(`${http.url}/ingest/memory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat([Buffer.from('{"content":"'), Buffer.from([0xd6, 0xd0]), Buffer.from('"}')]),
    });
    expect(response.status).toBe(400);
  });

  it('describes itself', async () => {
    const { json } = await http.request('GET', '/openapi.json');
    expect(Object.keys(json.paths)).toEqual(
      expect.arrayContaining(['/ingest/memory', '/memories/search', '/memories']),
    );
    expect(await http.request('GET', '/health')).toEqual({ status: 200, json: { status: 'running' } });
  });
});

describe('with a token', () => {
  it('opens REST and MCP to those who have it alone', async () => {
    const { memory, ownerId: owner } = createMemory(store);
    const guarded = await serve(memory, owner, 'a-long-secret');
    expect(await guarded.request('GET', '/projects')).toMatchObject({
      status: 401,
      json: { code: 'ERR_UNAUTHORIZED' },
    });
    const authorization = 'Bearer a-long-secret';
    expect(await guarded.request('GET', '/projects', undefined, { authorization })).toMatchObject({ status: 200 });
    await expect(connectOverHttp(new URL(`${guarded.url}/mcp`))).rejects.toThrow();
    expect(await guarded.request('GET', '/health')).toMatchObject({ status: 200 });
    await guarded.close();
  });
});
