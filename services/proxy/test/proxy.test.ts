import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { localPrincipal, type Principal } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { type Listening, listen } from '@contextloom/server-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Said } from '../src/chat/chat-request.ts';
import type { Asking, ChatMemory, MemoryOf, Recalled } from '../src/memory.ts';
import { createProxyApi } from '../src/proxy-api.ts';
import type { ProxyOptions } from '../src/request-headers.ts';
import { type Provider, startProvider } from './support/provider.ts';

let provider: Provider;
let proxy: Listening;
let stored: { of: MemoryOf; said: readonly Said[] }[];
let recalled: ({ of: MemoryOf } & Asking)[];
let gives: Recalled;

const memory: ChatMemory = {
  recall: async (of, asking) => {
    recalled.push({ of, ...asking });
    return gives;
  },
  store: (of, said) => void stored.push({ of, said }),
  warmUp: () => undefined,
  close: async () => undefined,
};

async function start(options: Partial<ProxyOptions> = {}, principal?: Principal): Promise<void> {
  const api = createProxyApi({
    memory,
    providerUrl: `${provider.url}/v1`,
    userId: 'default',
    stores: true,
    marks: true,
    log: silentLog,
    ...options,
  });
  const identify = (authorization: string | undefined) => {
    callers.push(authorization);
    return principal ?? localPrincipal;
  };
  await proxy?.close();
  proxy = await listen(await api.toApp({ guard: { identify } }), { host: '127.0.0.1', port: 0 });
}

let callers: (string | undefined)[];
beforeEach(async () => {
  [stored, recalled, callers] = [[], [], []];
  gives = { before: 'Ann likes "tea".', state: 'complete' };
  provider = await startProvider();
  await start();
});
afterEach(async () => {
  await proxy.close();
  await provider.close();
});

const json = { 'content-type': 'application/json' };
const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${proxy.url}/v1${path}`, { method: 'POST', body, headers: { ...json, ...headers } });
const bodyOf = (at = 0): string => String(provider.seen[at]?.body);

const SYSTEM = '{"role":"system","content":"Ann likes \\"tea\\"."}';

describe('a request', () => {
  it.each([
    [
      'a message of the user',
      '{ "messages": [ {"role":"user","content":"Hi"} ], "n":1.0 }',
      `{ "messages": [ ${SYSTEM},{"role":"user","content":"Hi"} ], "n":1.0 }`,
    ],
    [
      'a system message',
      '{"seed":12345678901234567890,"messages":[{"content":"Be \\u0062rief.","role":"system"},{"role":"user","content":"Hi"}]}',
      '{"seed":12345678901234567890,"messages":[{"content":"Ann likes \\"tea\\".\\n\\n---\\n\\nBe \\u0062rief.","role":"system"},{"role":"user","content":"Hi"}]}',
    ],
    [
      'a developer message in parts',
      '{"messages":[{"role":"developer","content":[{"type":"text","text":"A"}]},{"role":"user","content":"Hi"}]}',
      '{"messages":[{"role":"developer","content":[{"type":"text","text":"Ann likes \\"tea\\"."},{"type":"text","text":"A"}]},{"role":"user","content":"Hi"}]}',
    ],
    [
      'messages named twice',
      '{"messages":[],"messages":[{"role":"user","content":"Hi"}]}',
      `{"messages":[],"messages":[${SYSTEM},{"role":"user","content":"Hi"}]}`,
    ],
  ])('with %s gets the system prompt, and no other byte changes', async (_name, body, expected) => {
    const response = await post('/chat/completions', body);
    expect(response.headers.get('contextloom-memory')).toBe('complete');
    expect(bodyOf()).toBe(expected);
    expect(JSON.parse(bodyOf())).toEqual(JSON.parse(expected));
  });

  it.each([
    ['{"input":"Hi"}', '{"instructions":"Ann likes \\"tea\\".","input":"Hi"}'],
    [
      '{"instructions":null,"input":[{"role":"user","content":[{"type":"input_text","text":"Hi"}]}]}',
      '{"instructions":"Ann likes \\"tea\\".","input":[{"role":"user","content":[{"type":"input_text","text":"Hi"}]}]}',
    ],
    [
      '{"input":"Hi","instructions":"Be brief."}',
      '{"input":"Hi","instructions":"Ann likes \\"tea\\".\\n\\n---\\n\\nBe brief."}',
    ],
  ])('for /responses of %j gets it as instructions', async (body, expected) => {
    await post('/responses', body);
    expect(bodyOf()).toBe(expected);
    expect(recalled[0]?.said).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it('asks memory with what was said in words, and with the header that names the persona', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Who is Kit?' },
          { type: 'image_url', image_url: { url: 'data:,' } },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'tool', content: 'Kit is nine.' },
      { role: 'assistant', content: 'Your son.' },
    ];
    await post('/chat/completions', JSON.stringify({ messages, user: 'ann' }), { 'contextloom-persona': 'marlow' });
    const said = [
      { role: 'user', content: 'Who is Kit?' },
      { role: 'assistant', content: 'Your son.' },
    ];
    expect(recalled).toEqual([
      { of: { principal: localPrincipal, userId: 'ann' }, said, persona: 'marlow', hasNewest: true },
    ]);
    expect(provider.seen[0]?.headers).not.toHaveProperty('contextloom-persona');
  });

  it.each([
    ['no JSON', '/chat/completions', 'hello'],
    ['no messages', '/chat/completions', '{"messages":[]}'],
    ['messages of another form', '/chat/completions', '{"messages":[{"role":"user","content":7}]}'],
    ['a body as deep as a stack', '/chat/completions', `{"messages":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['bytes that are no UTF-8', '/chat/completions', Buffer.from([0x7b, 0xff, 0x7d])],
    ['another route', '/embeddings?a=%2F', '{"input":"Hi"}'],
  ])('with %s goes on as it came', async (_name, path, body) => {
    const response = await post(path, body);
    expect([response.status, response.headers.get('contextloom-memory')]).toEqual([200, 'off']);
    expect(provider.seen[0]?.body.equals(Buffer.from(body))).toBe(true);
    expect(provider.seen[0]?.url).toBe(`/v1${path}`);
    expect(recalled).toEqual([]);
  });

  it('goes on without memory where that is away, and says so', async () => {
    gives = { state: 'away' };
    const body = '{"messages":[{"role":"user","content":"Hi"}]}';
    const response = await post('/chat/completions', body);
    expect(response.headers.get('contextloom-memory')).toBe('away');
    expect(bodyOf()).toBe(body);
  });

  it('is refused when it is too large, before the provider hears of it', async () => {
    const response = await post('/files', Buffer.alloc(33 * 1_024 * 1_024));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { code: 'too_large', type: 'contextloom_proxy' } });
    expect(provider.seen).toEqual([]);
  });

  it('passes on methods, headers and a list of models', async () => {
    provider.answer = ({ headers }, response) => response.end(JSON.stringify({ data: [], key: headers.authorization }));
    const response = await fetch(`${proxy.url}/v1/models`, {
      headers: { authorization: 'Bearer sk-1', 'openai-project': 'p' },
    });
    expect(await response.json()).toEqual({ data: [], key: 'Bearer sk-1' });
    expect(provider.seen[0]).toMatchObject({ method: 'GET', url: '/v1/models', headers: { 'openai-project': 'p' } });
  });
});

describe('who asks', () => {
  const body = '{"user":"bob","messages":[{"role":"user","content":"Hi"}]}';
  const plain = body.replace('"user":"bob",', '');
  const ann: Principal = { ...localPrincipal, name: 'ann', users: ['ann'] };

  it.each([
    ['the user of the key', plain, {}, ann, 'ann'],
    ['the one that the header names', body, { 'contextloom-user': 'eve' }, undefined, 'eve'],
    ['the one that the body names', body, {}, undefined, 'bob'],
    ['the usual one', plain, {}, undefined, 'default'],
  ])('is %s', async (_name, text, headers, principal, user) => {
    await start({}, principal);
    await post('/chat/completions', text, headers as Record<string, string>);
    expect(recalled[0]?.of.userId).toBe(user);
  });

  it.each([
    ['body', body, {}],
    ['header', plain, { 'contextloom-user': 'bob' }],
  ])('may not speak for others with a key for one user, in the %s', async (_name, text, headers) => {
    await start({}, ann);
    const response = await post('/chat/completions', text, headers as Record<string, string>);
    expect(response.status).toBe(403);
    expect([provider.seen, recalled]).toEqual([[], []]);
  });

  it('shows its own key in a header, or as Authorization where the proxy has the key of the provider', async () => {
    await post('/chat/completions', plain, { authorization: 'Bearer sk-1', 'contextloom-key': 'k' });
    expect([callers.at(-1), provider.seen[0]?.headers.authorization]).toEqual(['Bearer k', 'Bearer sk-1']);
    expect(provider.seen[0]?.headers).not.toHaveProperty('contextloom-key');
    await start({ providerKey: 'sk-2' });
    await post('/chat/completions', plain, { authorization: 'Bearer k' });
    expect([callers.at(-1), provider.seen[1]?.headers.authorization]).toEqual(['Bearer k', 'Bearer sk-2']);
  });
});

const events = (...deltas: string[]) =>
  deltas.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);

describe('an answer', () => {
  const body = '{"messages":[{"role":"user","content":"Hi"}]}';
  const question = { role: 'user', content: 'Hi' };
  const whenStored = async () => {
    for (let tries = 0; stored.length === 0 && tries < 200; tries += 1) await sleep(10);
    return stored.map(({ said }) => said);
  };

  it('comes byte for byte, with the status and headers of the provider, and is stored', async () => {
    const text = '{ "choices": [ {"message":{"content":"Hello\\u0021"}} ], "x": 1.00 }';
    provider.answer = (_request, response) => response.writeHead(201, { 'X-Request-Id': 'r1', ...json }).end(text);
    const response = await post('/chat/completions', body);
    expect(await response.text()).toBe(text);
    expect([response.status, response.headers.get('x-request-id')]).toEqual([201, 'r1']);
    expect(await whenStored()).toEqual([[question, { role: 'assistant', content: 'Hello!' }]]);
  });

  it.each([429, 500, 400])('of status %i is passed on, and not stored', async (status) => {
    const text = '{"error":{"message":"no"},"choices":[{"message":{"content":"x"}}]}';
    provider.answer = (_request, response) => response.writeHead(status, { 'Retry-After': '7', ...json }).end(text);
    const response = await post('/chat/completions', body);
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([status, '7', text]);
    expect(stored).toEqual([]);
  });

  it('is streamed as it comes: the first piece is there before the second is written', async () => {
    const [first = '', second = ''] = events('Hel', 'lo 中文');
    let goOn: () => void = () => undefined;
    provider.answer = async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const bytes = Buffer.from(`${second}data: [DONE]\n\n`);
      const at = bytes.indexOf('中') + 1;
      response.write(bytes.subarray(0, at));
      response.end(bytes.subarray(at));
    };
    const response = await post('/chat/completions', body);
    const reader = response.body?.getReader();
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe(first);
    goOn();
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read());
    expect(await whenStored()).toEqual([[question, { role: 'assistant', content: 'Hello 中文' }]]);
  });

  it('of /responses is stored from its stream and in one piece', async () => {
    const delta = (words: string) =>
      `event: response.output_text.delta\ndata: ${JSON.stringify({ type: 'response.output_text.delta', delta: words })}\n\n`;
    provider.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(delta('Hel') + delta('lo'));
    await (await post('/responses', '{"input":"Hi","stream":true}')).text();
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }];
    provider.answer = (_request, response) => response.writeHead(200, json).end(JSON.stringify({ output }));
    await (await post('/responses', '{"input":"Hi"}')).text();
    for (let tries = 0; stored.length < 2 && tries < 200; tries += 1) await sleep(10);
    expect(stored.map(({ said }) => said.at(-1)?.content)).toEqual(['Hello', 'Hello']);
  });

  it('that the client breaks off ends at the provider too, and what was said is stored', async () => {
    provider.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events('Hel').join(''));
    const leaving = new AbortController();
    const response = await fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      body,
      headers: json,
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    leaving.abort();
    await provider.seen[0]?.closed;
    expect(await whenStored()).toEqual([[question, { role: 'assistant', content: 'Hel' }]]);
  });

  it('that the provider breaks off is broken off for the client', async () => {
    provider.answer = (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(events('Hel').join(''), () => response.destroy());
    };
    const response = await post('/chat/completions', body);
    await expect(response.text()).rejects.toThrow();
    expect(await whenStored()).toEqual([[question, { role: 'assistant', content: 'Hel' }]]);
  });

  it('of tools alone is not stored, nor what a header asks not to store', async () => {
    const tools = { choices: [{ message: { content: null, tool_calls: [{ id: 't' }] } }] };
    provider.answer = (_request, response) => response.writeHead(200, json).end(JSON.stringify(tools));
    expect(await (await post('/chat/completions', body)).json()).toEqual(tools);
    provider.answer = (_request, response) =>
      response.writeHead(200, json).end('{"choices":[{"message":{"content":"Hello"}}]}');
    await (await post('/chat/completions', body, { 'contextloom-store': 'false' })).text();
    expect((await post('/chat/completions', body, { 'contextloom-store': 'maybe' })).status).toBe(422);
    expect(stored).toEqual([]);
  });

  it('that is compressed all the same is passed on as it is', async () => {
    const bytes = gzipSync('{"choices":[]}');
    provider.answer = (_request, response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bytes);
    expect(await (await post('/chat/completions', body)).json()).toEqual({ choices: [] });
    expect(provider.seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('says what is wrong where there is no provider', async () => {
    await start({ providerUrl: 'http://127.0.0.1:9/v1' });
    const response = await post('/chat/completions', body);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('127.0.0.1:9') } });
  });
});

it('refuses foreign hosts, and answers whether it runs', async () => {
  expect(await (await fetch(`${proxy.url}/health`)).json()).toEqual({ status: 'running', service: 'proxy' });
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write('GET /v1/models HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const piece of socket) text += String(piece);
  expect(text).toMatch(/^HTTP\/1\.1 403/);
  expect(provider.seen).toEqual([]);
});
