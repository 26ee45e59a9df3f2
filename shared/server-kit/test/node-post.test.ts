import type { IncomingMessage, ServerResponse } from 'node:http';
import { createNodePost } from '@contextloom/mcp-client';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Listening, listen } from '../src/http/listen.ts';

let endpoint: Listening | undefined;
afterEach(() => endpoint?.close());

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Serves a server that answers so, and posts to it. */
async function serve(answer: Answer, maxBytes?: number) {
  endpoint = await listen(
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()));
    },
    { host: '127.0.0.1', port: 0, graceMs: 0 },
  );
  const fetch = createNodePost(maxBytes);
  const { url } = endpoint;
  return (body: string, more: RequestInit = {}): Promise<Response> =>
    fetch(url, { method: 'POST', body, redirect: 'manual', headers: new Headers({ 'x-word': 'hello' }), ...more });
}

describe('a POST to an upstream over plain HTTP', () => {
  it('sends headers and text, and reads status, headers and text, over one connection', async () => {
    const ports = new Set<number | undefined>();
    const post = await serve(({ headers, socket, method }, response, body) => {
      ports.add(socket.remotePort);
      response.writeHead(201, 'Made', { 'x-one': ['a', 'b'], 'content-type': 'application/json' });
      response.end(JSON.stringify({ method, word: headers['x-word'], length: headers['content-length'], body }));
    });
    for (const body of ['茶🍵', 'x'.repeat(1_000_000), '']) {
      const response = await post(body);
      expect([response.ok, response.status, response.statusText]).toEqual([true, 201, 'Made']);
      expect([response.headers.get('x-one'), response.headers.get('content-type')]).toEqual([
        'a, b',
        'application/json',
      ]);
      const length = String(Buffer.byteLength(body));
      expect(await response.json()).toEqual({ method: 'POST', word: 'hello', length, body });
    }
    expect(ports.size).toBe(1);
  });

  it.each([202, 204, 307, 401, 404, 500])('answers HTTP %d as it is', async (status) => {
    const post = await serve((_request, response) => {
      response.writeHead(status, { location: '/elsewhere', 'www-authenticate': 'Bearer' });
      response.end(status === 204 ? undefined : 'words');
    });
    const response = await post('{}');
    expect([response.status, response.headers.get('location')]).toEqual([status, '/elsewhere']);
    expect(await response.text()).toBe(status === 204 ? '' : 'words');
  });

  it('reads events as they come', async () => {
    let goOn = (): void => undefined;
    const post = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      goOn = () => response.end('data: 2\n\n');
    });
    const reader = (await post('{}')).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('data: 1\n\n');
    goOn();
    expect((await reader?.read())?.value).toBe('data: 2\n\n');
  });

  it.each(['application/json', 'text/event-stream'])('can be given up in the middle of %s', async (type) => {
    const leaving = new AbortController();
    let closed: Promise<unknown> = Promise.resolve();
    const post = await serve((_request, response) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      response.writeHead(200, { 'content-type': type });
      response.write(': words\n\n', () => leaving.abort());
    });
    await expect(post('{}', { signal: leaving.signal }).then((response) => response.text())).rejects.toThrow(/abort/i);
    await closed;
  });

  it.each([
    ['before it answers', (response: ServerResponse) => response.destroy()],
    ['in the middle of its answer', (response: ServerResponse) => response.write('{"a":', () => response.destroy())],
  ])('fails where the server breaks off %s', async (_when, breakOff) => {
    const post = await serve((_request, response) => void breakOff(response));
    await expect(post('{}')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('fails where nothing listens, and for more than it may read', async () => {
    const post = await serve((_request, response) => response.end('12345678901'), 10);
    await expect(post('{}')).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' });
    await endpoint?.close();
    await expect(post('{}')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
