import { ContextloomError } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { checkExamples, connectOverHttp } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { type ApiDefinition, createApi } from '../src/http/api.ts';
import { type Listening, listen } from '../src/http/listen.ts';
import { createMcpEndpoint } from '../src/http/mcp-endpoint.ts';
import { toEntityTag, toExpectedVersion } from '../src/route/entity-tags.ts';
import { houseErrors, statusOf } from '../src/route/errors.ts';
import { defineRoute, noBody, noParams, type Route } from '../src/route/route.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

interface Note {
  readonly text: string;
  readonly version: number;
}
type Notes = Map<string, Note>;

/** A schema that refers to itself, as trees of notes do. */
const tree = z.object({
  text: z.string(),
  get children() {
    return z.array(tree).optional();
  },
});

const noteSchema = z.object({ text: z.string(), version: z.number().int() });

const put = defineRoute({
  method: 'put',
  path: '/notes/:id',
  summary: 'Writes a note.',
  params: z.object({ id: z.string(), loud: z.stringbool().default(false).describe('<b> & "loud"') }),
  body: z.strictObject({ text: z.string().max(100) }),
  answer: noteSchema,
  statuses: { 200: 'The note was changed.', 201: 'The note is new.' },
  statusOf: ({ version }) => (version === 1 ? 201 : 200),
  errors: ['precondition_failed'],
  etagOf: ({ version }) => toEntityTag(version),
  example: { params: { id: 'a b', loud: 'yes' }, body: { text: "it's" }, answer: { text: "IT'S", version: 1 } },
  run: async ({ params: { id, loud }, body, ifMatch }, notes: Notes) => {
    const present = notes.get(id)?.version ?? 0;
    const expected = await toExpectedVersion(ifMatch, async () => present);
    if (expected !== undefined && expected !== present) throw new ContextloomError('precondition_failed', 'changed');
    const note = { text: loud ? body.text.toUpperCase() : body.text, version: present + 1 };
    notes.set(id, note);
    return note;
  },
});

const plant = defineRoute({
  method: 'post',
  path: '/trees',
  summary: 'Counts the leaves of a tree.',
  params: noParams,
  body: tree,
  answer: z.object({ tree }),
  run: ({ body }) => ({ tree: body }),
});

const untilGone = defineRoute({
  method: 'get',
  path: '/wait',
  summary: 'Waits until the caller goes away.',
  params: noParams,
  body: noBody,
  answer: z.object({}),
  run: ({ signal }, notes: Notes) =>
    new Promise<Record<string, never>>((resolve) => {
      notes.set('waiting', { text: '', version: 1 });
      signal.addEventListener('abort', () => {
        notes.delete('waiting');
        resolve({});
      });
    }),
});

const routes: readonly Route<Notes>[] = [put, plant, untilGone];

let endpoint: Listening | undefined;
afterEach(() => endpoint?.close());

function define(options: Partial<ApiDefinition<Notes>> = {}): ApiDefinition<Notes> {
  const texts = { title: 'Notes', description: 'Keeps notes.', version: '1.2.3' };
  return { ...texts, routes, deps: new Map(), log: silentLog, ...options };
}

async function start(options: Partial<ApiDefinition<Notes>> = {}): Promise<string> {
  const mcp = createMcpEndpoint(
    createMcpServer({ name: 'notes', version: '0', operations: [], deps: undefined, log: silentLog }),
    { log: silentLog },
  );
  endpoint = await listen(await createApi(define(options)).toApp({ mcp }), {
    host: '127.0.0.1',
    port: 0,
    graceMs: 100,
  });
  return endpoint.url;
}

const write = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('an API of routes', () => {
  it('parses path, query and body, and answers with the status and the tag that the route gives', async () => {
    const url = await start();
    const made = await write(`${url}/notes/a?loud=yes`, { text: 'hi' });
    expect([made.status, made.headers.get('etag'), await made.json()]).toEqual([
      201,
      '"1"',
      { text: 'HI', version: 1 },
    ]);
    const changed = await write(`${url}/notes/a`, { text: 'ho' });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
  });

  it.each([
    ['/notes/a', { text: 5 }, 422, 'text must be string, received number'],
    ['/notes/a', { text: 'x', colour: 'red' }, 422, 'colour is not known here'],
    ['/notes/a?loud=perhaps', { text: 'x' }, 422, expect.stringMatching(/^loud /)],
    ['/nothing', {}, 404, 'there is no PUT /nothing'],
  ])('refuses PUT %s %j', async (path, body, status, detail) => {
    const answer = await write(`${await start()}${path}`, body);
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ success: false, detail })]);
  });

  it.each([
    ['"1"', 200],
    ['"7", "1"', 200],
    ['*', 200],
    ['"2"', 412],
    ['"7", "8"', 412],
    ['W/"1"', 412],
    ['1', 400],
  ])('compares If-Match: %s', async (ifMatch, status) => {
    const url = await start({ deps: new Map([['a', { text: '', version: 1 }]]) });
    expect((await write(`${url}/notes/a`, { text: 'x' }, { 'if-match': ifMatch })).status).toBe(status);
  });

  it('tells a route that its caller has gone away', async () => {
    const deps: Notes = new Map();
    const url = await start({ deps });
    const caller = new AbortController();
    const answer = fetch(`${url}/wait`, { signal: caller.signal }).catch(() => 'gone');
    const isWaiting = async (expected: boolean): Promise<void> => {
      while (deps.has('waiting') !== expected) await new Promise(setImmediate);
    };
    await isWaiting(true);
    caller.abort();
    expect(await answer).toBe('gone');
    await isWaiting(false);
  });

  it('answers errors in the form that a service asks for', async () => {
    const url = await start({
      errors: {
        schema: z.object({ error: z.string(), code: z.string() }),
        statusOf: (code) => (code === 'invalid' ? 400 : statusOf(code)),
        toBody: ({ message, code }) => ({ error: message, code: `ERR_${code.toUpperCase()}` }),
      },
    });
    const answer = await write(`${url}/notes/a`, {});
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'text is required (string)', code: 'ERR_INVALID' },
    ]);
  });

  it('serves MCP on the same port, and tells that it runs', async () => {
    const url = await start();
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'running' });
    const client = await connectOverHttp(new URL(`${url}/mcp`));
    expect((await client.listTools()).tools).toEqual([]);
    await client.close();
  });
});

describe('a bearer token', () => {
  it.each([
    [undefined, 401],
    ['Bearer wrong', 401],
    ['Basic sesame', 401],
    ['Bearer sesame', 201],
    ['bearer  sesame', 201],
  ])('lets %s in with %i', async (authorization, status) => {
    const url = await start({ token: 'sesame' });
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await write(`${url}/notes/a`, { text: 'x' }, headers);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([status, status === 401 ? 'Bearer' : null]);
    if (status === 401) expect(await answer.json()).toMatchObject({ error: { code: 'unauthorized' } });
  });

  it('guards /mcp and unknown paths, and leaves the reference and /health open', async () => {
    const url = await start({ token: 'sesame' });
    const statuses = ['/mcp', '/nothing', '/docs/', '/docs', '/openapi.json', '/health'].map(
      async (path) => (await fetch(`${url}${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 401, 401, 200, 200, 200]);
  });
});

describe('the reference of an API', () => {
  it('stands at /docs, where / leads, loads nothing, and shows calls at this address', async () => {
    const url = await start({ token: 'sesame' });
    const answer = await fetch(`${url}/`);
    expect([answer.url, answer.headers.get('content-type')]).toEqual([`${url}/docs`, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await answer.text();
    expect(page).not.toMatch(/<script|src=|@import|url\(|href="(?!#|\/openapi\.json)/);
    expect(page).toContain('<span class="method">put</span> <code>/notes/:id</code>');
    expect(page).toContain('&lt;b&gt; &amp; &quot;loud&quot;');
    expect(page).toContain(`curl -X PUT &#39;${url}/notes/a%20b?loud=yes&#39;`);
    expect(page).toContain('Authorization: Bearer &lt;token&gt;');
    expect(page).toContain('it&#39;\\&#39;&#39;s');
    expect(page).not.toContain('sesame');
  });

  it('has examples that its routes take', () => {
    checkExamples(routes);
    const wrong = { ...put, example: { params: { id: 'a' }, body: { text: 5 }, answer: {} } };
    expect(() => checkExamples([wrong])).toThrow('put /notes/:id.body.text must be string');
  });

  it.each([{}, { token: 'sesame' }])('is a valid OpenAPI document, given %j', async (options) => {
    const document = (await (await fetch(`${await start(options)}/openapi.json`)).json()) as Record<string, unknown>;
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    expect(document).toMatchObject({
      openapi: '3.1.1',
      info: { title: 'Notes', version: '1.2.3' },
      paths: {
        '/notes/{id}': {
          put: {
            operationId: 'putNotesById',
            parameters: [
              { name: 'id', in: 'path', required: true },
              { name: 'loud', in: 'query', required: false, schema: { type: 'string' } },
              { name: 'If-Match', in: 'header' },
            ],
            requestBody: { content: { 'application/json': { example: { text: "it's" } } } },
            responses: { 200: { headers: { ETag: {} } }, 201: {}, 412: {}, 422: {}, default: {} },
          },
        },
        '/health': { get: {} },
      },
      components: { schemas: { putNotesByIdBody: { additionalProperties: false, required: ['text'] } } },
    });
  });

  it('resolves every reference, also of schemas that refer to themselves', () => {
    const { openApi } = createApi(define());
    const references = [...JSON.stringify(openApi).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(references.some((path) => path.startsWith('components/schemas/postTreesBody'))).toBe(true);
    for (const path of references) {
      const target = path.split('/').reduce<unknown>((value, key) => Object(value)[key], openApi);
      expect([path, typeof target]).toEqual([path, 'object']);
    }
  });

  it('describes the errors of a service in its own form', () => {
    const errors = { ...houseErrors, statusOf: () => 400 };
    expect(createApi(define({ errors })).openApi).toMatchObject({
      paths: { '/trees': { post: { responses: { 400: { description: expect.stringContaining('not allowed') } } } } },
    });
  });
});
