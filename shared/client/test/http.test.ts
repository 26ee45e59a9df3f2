import type { RequestListener } from 'node:http';
import { type Listening, listen } from '@contextloom/server-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Contextloom, type HttpOptions, type Progress } from '../src/index.ts';
import { type Calls, createCalls, startServer } from './support/servers.ts';

let calls: Calls;
let server: Listening;
const clients: Contextloom[] = [];

function createClient(options: Partial<HttpOptions> = {}): Contextloom {
  const client = new Contextloom({ url: server.url, user: 'ann', ...options });
  clients.push(client);
  return client;
}

afterEach(async () => {
  calls.open();
  for (const client of clients.splice(0)) await client.close();
  await server.close();
});

/** A `fetch` that does what a broken network does to the first call of a tool: before the server has it, or to its answer. */
function breakOnce(when: 'before' | 'after'): typeof fetch {
  let isBroken = false;
  return async (input, init) => {
    const isCall = String(init?.body).includes('"tools/call"');
    if (!isCall || isBroken) return fetch(input, init);
    isBroken = true;
    if (when === 'after') await (await fetch(input, init)).text();
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error(), { code: when === 'after' ? 'ECONNRESET' : 'ECONNREFUSED' }),
    });
  };
}

describe.each([
  ['2026-07-28', false],
  ['2025-11-25', true],
])('a client of a server of %s', (_revision, isLegacy) => {
  beforeEach(async () => {
    calls = createCalls();
    server = await startServer(calls, { isLegacy });
  });

  it('fills in its user, and lets a call name another', async () => {
    calls.open();
    const client = createClient();
    expect(await client.recall('tea')).toMatchObject({ said: 'ann: tea' });
    expect(await client.recall('tea', { user_id: 'bob' })).toMatchObject({ said: 'bob: tea' });
    expect(await client.raw('recall', { query: 'tea' })).toMatchObject({ structured: { said: 'ann: tea' } });
    expect(await client.raw('wait', { query: 'tea' })).toMatchObject({ structured: { said: 'nobody: tea' } });
  });

  it.each([
    ['recall, which changes nothing', 'after', 'recall', 2],
    ['remember, whose answer was lost', 'after', 'remember', 1],
    ['remember, which did not arrive', 'before', 'remember', 1],
  ] as const)('repeats what may be repeated: %s', async (_name, when, method, times) => {
    const client = createClient({ fetch: breakOnce(when) });
    const answer = client[method]('tea');
    if (when === 'after' && method === 'remember') await expect(answer).rejects.toMatchObject({ code: 'unavailable' });
    else expect(await answer).toMatchObject({ said: 'ann: tea' });
    expect(calls.names).toEqual(Array(times).fill(method));
  });

  it('goes on with a server that was started again meanwhile', async () => {
    const client = createClient();
    await client.remember('tea');
    await server.close();
    server = await startServer(calls, { isLegacy, port: server.port });
    expect(await client.recall('tea')).toMatchObject({ said: 'ann: tea' });
    expect(await client.remember('more tea')).toMatchObject({ said: 'ann: more tea' });
    expect(calls.names).toEqual(['remember', 'recall', 'remember']);
  });

  it('hears how far a call is, and ends it with the reason of its signal', async () => {
    const client = createClient();
    const controller = new AbortController();
    const reason = new Error('enough');
    const heard: Progress[] = [];
    const onProgress = (progress: Progress): void => {
      heard.push(progress);
      controller.abort(reason);
    };
    await expect(client.raw('wait', {}, { signal: controller.signal, onProgress })).rejects.toBe(reason);
    expect(heard).toEqual([{ progress: 1, total: 2, message: 'half way' }]);
    await calls.abandoned;
    expect(await client.recall('tea')).toMatchObject({ said: 'ann: tea' });
  });

  it('ends a call at its deadline, and tells the server', async () => {
    const client = createClient();
    await client.recall('tea'); // Connects: a deadline that ends before that is told to nobody.
    await expect(client.raw('wait', {}, { timeoutMs: 300 })).rejects.toMatchObject({
      code: 'timeout',
      message: 'wait did not end within 300 ms',
    });
    await calls.abandoned;
  });

  it('tells in the words of the server what it refuses, and its field', async () => {
    const refused = createClient({ retries: 0 }).recall('tea', { user_id: 5 as unknown as string });
    await expect(refused).rejects.toMatchObject({ name: 'ContextloomError', code: 'invalid', field: 'user_id' });
    expect(calls.names).toEqual([]);
    await expect(createClient().raw('nothing')).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('a client', () => {
  beforeEach(async () => {
    calls = createCalls();
    server = await startServer(calls);
  });

  it('sends nothing with a signal that was aborted before, and nothing after it was closed', async () => {
    const client = createClient();
    const reason = new Error('no');
    await expect(client.recall('tea', {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await client.close();
    await expect(client.recall('tea')).rejects.toMatchObject({ code: 'unavailable', message: 'the client was closed' });
    expect(calls.names).toEqual([]);
  });

  it('asks for the pages of an export one after the other, as they are wanted', async () => {
    const said: unknown[] = [];
    for await (const page of createClient().export()) {
      said.push((page as { readonly said?: string }).said);
      expect(calls.names).toHaveLength(said.length);
    }
    expect(said).toEqual(['ann: ', 'ann: page 2']);
  });

  it('asks for its key before each request', async () => {
    const shown: (string | null)[] = [];
    const client = createClient({
      key: () => `key-${shown.length}`,
      headers: { 'x-app': 'tea' },
      fetch: (input, init) => {
        const headers = new Headers(init?.headers);
        shown.push(headers.get('authorization'));
        expect(headers.get('x-app')).toBe('tea');
        return fetch(input, init);
      },
    });
    await client.recall('tea');
    expect(shown.slice(0, 2)).toEqual(['Bearer key-0', 'Bearer key-1']);
  });

  it.each([
    [401, 'unauthorized', 1],
    [403, 'forbidden', 1],
    [404, 'unavailable', 1],
    [413, 'too_large', 1],
    [429, 'rate_limited', 3],
    [503, 'unavailable', 3],
  ])('makes HTTP %s a failure with the code %s', async (status, code, times) => {
    let met = 0;
    const answer: RequestListener = (_request, response) => {
      met += 1;
      response.writeHead(status).end('<html>secret words of a proxy</html>');
    };
    const endpoint = await listen(answer, { host: '127.0.0.1', port: 0, graceMs: 0 });
    const refused = createClient({ url: `${endpoint.url}/mcp` }).recall('tea');
    await expect(refused).rejects.toMatchObject({ code, message: expect.not.stringContaining('secret') });
    // One of them asks which revision the server speaks.
    expect(met).toBeGreaterThanOrEqual(times);
    await endpoint.close();
  });

  it('says that nobody listens at an address', async () => {
    const { url } = server;
    await server.close();
    await expect(createClient({ url, retries: 0 }).remember('tea')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('cannot be reached'),
    });
  });
});
