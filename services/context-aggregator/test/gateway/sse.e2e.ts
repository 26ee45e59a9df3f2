import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectInMemory, connectOverFetch } from '@contextloom/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { z } from 'zod';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';

let http: HttpServer;
let gateway: TestGateway;
let changeTools: () => void;

function createNotes(): McpServer {
  const server = new McpServer({ name: 'notes', version: '1' });
  const input = { text: z.string(), steps: z.number().default(0) };
  server.registerTool('echo', { inputSchema: input }, async ({ text, steps }, { _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken ?? 'none';
    for (let progress = 1; progress <= steps; progress += 1)
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
    return { content: [{ type: 'text', text }] };
  });
  server.registerResource('today', 'note://today', {}, ({ href }) => ({ contents: [{ uri: href, text: 'tea' }] }));
  changeTools = () => {
    server.registerTool('later', {}, () => ({ content: [] }));
  };
  return server;
}

beforeAll(async () => {
  const open = new Map<string, SSEServerTransport>();
  http = createServer((request, response) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      open.set(transport.sessionId, transport);
      void createNotes().connect(transport);
    } else {
      const session = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('sessionId') ?? '';
      void open.get(session)?.handlePostMessage(request, response);
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`;
  gateway = createTestGateway({ urls: { notes: { url, type: 'sse' } } });
});
afterAll(async () => {
  await gateway.close();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

it.each([
  ['2025-11-25', () => connectInMemory(gateway.factory)],
  ['2026-07-28', () => connectOverFetch(gateway.factory)],
])('a server over SSE of the SDK 1.x is listed, called and read by a client of %s', async (_revision, connect) => {
  const { client, close } = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('notes__echo');
  const heard: number[] = [];
  const onprogress = ({ progress }: { progress: number }): void => void heard.push(progress);
  const call = { name: 'notes__echo', arguments: { text: 'hello', steps: 2 } };
  expect((await client.callTool(call, { onprogress })).content).toEqual([{ type: 'text', text: 'hello' }]);
  expect(heard).toEqual([1, 2]);
  expect((await client.readResource({ uri: 'note://today' })).contents).toMatchObject([{ text: 'tea' }]);
  await close();
});

it('a change of the tools of a server over SSE reaches the client', async () => {
  const { client, close } = await connectInMemory(gateway.factory);
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
  });
  await client.listTools();
  changeTools();
  await changed;
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('notes__later');
  await close();
});
