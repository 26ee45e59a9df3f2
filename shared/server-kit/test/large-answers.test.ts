import { createServer } from 'node:http';
import { createBoundedFetch, createUpstreams, type Upstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Listening, listen } from '../src/http/listen.ts';

const MiB = 1024 * 1024;
const encoder = new TextEncoder();

/** What a bounded fetch makes of a body that comes in these pieces, and how often it was told of one too large. */
async function readBounded(type: string, pieces: readonly string[], maxBytes: number) {
  let told = 0;
  const body = () =>
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(encoder.encode(piece));
        controller.close();
      },
    });
  const fetch = createBoundedFetch({
    maxBytes,
    onTooLarge: () => {
      told += 1;
    },
    fetch: async () => new Response(body(), { headers: { 'content-type': type } }),
  });
  const text = await (await fetch('http://127.0.0.1/')).text().catch((error: Error) => error.message);
  return { text, told };
}

describe('a bounded fetch', () => {
  it.each(['application/json', 'text/plain', ''])('bounds the whole of what is "%s"', async (type) => {
    expect(await readBounded(type, ['12345', '67890'], 10)).toEqual({ text: '1234567890', told: 0 });
    expect(await readBounded(type, ['12345', '67890', '1'], 10)).toEqual({
      text: 'the answer has more than 10 bytes',
      told: 1,
    });
  });

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('bounds each event of a stream, however many there are and wherever the pieces end (%s)', async (_name, end) => {
    const event = `data: 12345${end}data: 6${end}${end}`;
    const text = event.repeat(50);
    for (const size of [1, 2, 3, 7, 64, text.length]) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(await readBounded('text/event-stream; charset=utf-8', pieces, event.length)).toEqual({ text, told: 0 });
      expect((await readBounded('text/event-stream', pieces, event.length - 1)).told).toBe(1);
    }
    expect(
      (
        await readBounded(
          'text/event-stream',
          Array.from({ length: 30 }, () => `:${end}`),
          20,
        )
      ).told,
    ).toBe(1);
  });
});

describe('a server over HTTP that answers without end', () => {
  let endpoint: Listening | undefined;
  let upstreams: Upstreams | undefined;
  afterEach(async () => {
    await upstreams?.close();
    await endpoint?.close();
  });

  /** Shakes hands, and answers each call with `type`, in pieces of a mebibyte until nobody takes them. */
  async function serveEndless(type: string): Promise<Upstreams> {
    const handler = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        const { id, method, params } = JSON.parse(text || '{}');
        if (method === 'initialize') {
          const serverInfo = { name: 'endless', version: '1' };
          const result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
          response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        } else if (method === 'tools/call') {
          response.setHeader('content-type', type);
          const piece = `${type.includes('json') ? '' : 'data: '}${'x'.repeat(MiB)}\n`;
          const write = (): void => {
            while (!response.destroyed && response.write(piece));
          };
          response.on('drain', write);
          write();
        } else response.writeHead(request.method === 'POST' ? 202 : 405).end();
      });
    });
    const [listener] = handler.listeners('request');
    endpoint = await listen(listener as Parameters<typeof listen>[0], { host: '127.0.0.1', port: 0, graceMs: 100 });
    upstreams = createUpstreams({
      servers: { other: { url: `${endpoint.url}/mcp`, headers: {} } },
      clientName: 'test',
      clientVersion: '0',
      log: silentLog,
    });
    return upstreams;
  }

  it.each(['application/json', 'text/event-stream'])('is cut off at 64 MiB of %s, by name', async (type) => {
    const { call } = await serveEndless(type);
    expect(await call('other', 'x', {}, { timeoutMs: 200_000 })).toEqual({
      kind: 'unavailable',
      reason: 'answered with more than 64 MiB',
    });
  });
});
