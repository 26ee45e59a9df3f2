import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { ContextloomError } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { createApi } from '../src/http/api.ts';
import { escapeHtml, renderPage } from '../src/http/docs/page.ts';
import { type Listening, listen } from '../src/http/listen.ts';
import { defineRoute, defineTextRoute, linesBody, noParams } from '../src/route/route.ts';

const page = defineTextRoute({
  method: 'get',
  path: '/page',
  summary: 'Shows a page.',
  params: z.object({ title: z.string() }),
  produces: 'text/html',
  run: ({ params: { title } }) => renderPage(title, `<p>${escapeHtml(title)}</p>`),
});

async function* count(to: number, failAt: number): AsyncGenerator<string> {
  for (let at = 0; at < to; at += 1) {
    if (at === failAt) throw new ContextloomError('unavailable', 'the database cannot be reached');
    yield `{"at":${at}}\n`;
  }
}

const lines = defineTextRoute({
  method: 'get',
  path: '/lines',
  summary: 'Counts.',
  params: z.object({ to: z.coerce.number(), fail_at: z.coerce.number().default(-1) }),
  produces: 'application/x-ndjson',
  run: ({ params: { to, fail_at } }) => count(to, fail_at),
});

const read = defineRoute({
  method: 'post',
  path: '/lines',
  summary: 'Tells how long the lines are.',
  params: noParams,
  body: linesBody,
  answer: z.object({ bytes: z.number(), chunks: z.number() }),
  run: async ({ body }, seen: { chunks: number }) => {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      seen.chunks += 1;
    }
    return { bytes, chunks: seen.chunks };
  },
});

let endpoint: Listening | undefined;
afterEach(() => endpoint?.close());

const seen = { chunks: 0 };
const api = createApi({
  title: 'Lines',
  description: 'Reads lines.',
  version: '1',
  deps: seen,
  log: silentLog,
  routes: [page, lines, read],
});

async function start(): Promise<string> {
  endpoint = await listen(await api.toApp(), { host: '127.0.0.1', port: 0, graceMs: 100 });
  return endpoint.url;
}

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/lines`, { method: 'POST', body, headers: { 'content-type': 'application/x-ndjson', ...headers } });

describe('a route that answers text', () => {
  it('sends a page whose text is escaped, and which loads nothing', async () => {
    const answer = await fetch(`${await start()}/page?${new URLSearchParams({ title: `<script>"&'` })}`);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await answer.text();
    expect(html).toContain('<p>&lt;script&gt;&quot;&amp;&#39;</p>');
    expect(html).not.toContain('<script');
  });

  it('sends pieces as they come, none of none, and answers what fails before the first as an error', async () => {
    const url = await start();
    expect(await (await fetch(`${url}/lines?to=2`)).text()).toBe('{"at":0}\n{"at":1}\n');
    const empty = await fetch(`${url}/lines?to=0`);
    expect([empty.status, await empty.text()]).toEqual([200, '']);
    expect((await fetch(`${url}/lines?to=2&fail_at=0`)).status).toBe(503);
    expect((await fetch(`${url}/lines?to=many`)).status).toBe(422);
  });

  it('cuts the connection when it fails later, so that a part is not taken for the whole', async () => {
    const answer = await fetch(`${await start()}/lines?to=9&fail_at=5`);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });
});

describe('a route that reads lines', () => {
  it('sees a part of the body before the whole of it was sent', async () => {
    const url = await start();
    seen.chunks = 0;
    const sending = request(`${url}/lines`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' },
    });
    const answered = new Promise<string>((resolve) => sending.once('response', (message) => resolve(text(message))));
    sending.write('{}\n');
    while (seen.chunks === 0) await new Promise(setImmediate);
    sending.end('{}\n');
    expect(JSON.parse(await answered)).toEqual({ bytes: 6, chunks: 2 });
  });

  it.each([
    ['application/json', {}],
    ['text/plain', {}],
    ['application/x-ndjson', { 'content-encoding': 'gzip' }],
  ])('refuses %s %j', async (type, headers) => {
    const answer = await post(await start(), '{}\n', { 'content-type': type, ...headers });
    expect(answer.status).toBe(415);
  });
});

it('stands in the reference with its media types', async () => {
  const document = structuredClone(api.openApi) as Record<string, unknown>;
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  expect(document).toMatchObject({
    paths: {
      '/page': { get: { responses: { 200: { content: { 'text/html': { schema: { type: 'string' } } } } } } },
      '/lines': { post: { requestBody: { content: { 'application/x-ndjson': {} } } } },
    },
  });
  const html = await (await fetch(`${await start()}/docs`)).text();
  expect(html).toContain('Answers <code>text/html</code>');
  expect(html).toContain('The body is JSON Lines');
});
