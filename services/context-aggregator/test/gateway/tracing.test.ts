import { silentLog } from '@contextloom/runtime';
import { createMcpServer, defineOperation } from '@contextloom/server-kit';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { fromJsonSchema, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { z } from 'zod';
import { createTestGateway, type RunningUpstream, startUpstream, type TestGateway } from '../support/gateway.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';
const META = { traceparent: `00-${TRACE}-${CLIENT_SPAN}-01`, tracestate: 'vendor=1' };

const exporter = new InMemorySpanExporter();
const seen: unknown[] = [];
let upstreams: RunningUpstream[];
let gateway: TestGateway;
let client: TestClient;

function createWiki(): McpServer {
  const server = new McpServer({ name: 'wiki', version: '1' });
  const inputSchema = fromJsonSchema<Record<string, unknown>>({ type: 'object' });
  server.registerTool('look', { inputSchema }, ({ fails }, { mcpReq }: ServerContext) => {
    seen.push(mcpReq._meta);
    return { content: [{ type: 'text', text: 'seen' }], ...(fails === true && { isError: true }) };
  });
  return server;
}

const createHouse = createMcpServer({
  name: 'house',
  version: '1',
  deps: {},
  log: silentLog,
  operations: [
    defineOperation({
      name: 'greet',
      title: 'Greet',
      description: 'Greets.',
      effect: 'reads',
      scope: 'none',
      input: z.object({}),
      output: z.object({ words: z.string() }),
      run: () => ({ words: 'hello' }),
    }),
  ],
});

beforeAll(async () => {
  upstreams = await Promise.all([
    startUpstream(createWiki, 'legacy'),
    startUpstream(createWiki, 'modern'),
    startUpstream(createHouse),
  ]);
  const [wiki = '', modern = '', house = ''] = upstreams.map(({ address }) => address);
  gateway = createTestGateway({ urls: { wiki, modern, house }, ownServers: ['house'] });
  client = await connectInMemory(gateway.factory);
});
afterAll(async () => {
  await client.close();
  await gateway.close();
  for (const upstream of upstreams) await upstream.close();
});
afterEach(() => {
  exporter.reset();
  seen.length = 0;
  for (const api of [trace, context, propagation]) api.disable();
});

function register(): void {
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
}

const call = (name: string, meta: object = META, args: object = {}) =>
  client.client.callTool({ name, arguments: { ...args }, _meta: { ...meta } });

/** The spans of calls, the first to begin first. */
const calls = () =>
  exporter
    .getFinishedSpans()
    .filter(({ name }) => name.startsWith('tools/call'))
    .reverse();

it('passes the trace of a client on as it is where no SDK is registered', async () => {
  await call('wiki__look');
  expect(seen).toEqual([expect.objectContaining(META)]);
});

it.each(['wiki', 'modern'])('spans a call from the client to %s, in the trace of the client', async (server) => {
  register();
  await call(`${server}__look`);
  const [served, sent] = calls();
  expect(served).toMatchObject({
    name: `tools/call ${server}__look`,
    kind: SpanKind.SERVER,
    status: { code: SpanStatusCode.UNSET },
    attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': `${server}__look` },
    parentSpanContext: { traceId: TRACE, spanId: CLIENT_SPAN },
  });
  expect(sent).toMatchObject({
    name: 'tools/call look',
    kind: SpanKind.CLIENT,
    attributes: { 'peer.service': server },
    parentSpanContext: { traceId: TRACE, spanId: served?.spanContext().spanId },
  });
  const traceparent = `00-${TRACE}-${sent?.spanContext().spanId}-01`;
  expect(seen).toEqual([expect.objectContaining({ traceparent, tracestate: 'vendor=1' })]);
});

it('is gone on with by a server of the house, and in our own operations', async () => {
  register();
  await call('house__greet');
  const [, sent, answered] = calls();
  expect(answered).toMatchObject({
    name: 'tools/call greet',
    kind: SpanKind.SERVER,
    parentSpanContext: { traceId: TRACE, spanId: sent?.spanContext().spanId },
  });
  exporter.reset();
  await call('get_service_status');
  const [served, own] = calls();
  expect(own).toMatchObject({ kind: SpanKind.INTERNAL, parentSpanContext: { spanId: served?.spanContext().spanId } });
});

it('tells that a call failed, and none of its words', async () => {
  register();
  await call('wiki__look', META, { fails: true });
  for (const span of calls()) {
    expect(span).toMatchObject({ status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': 'tool_error' } });
    expect(JSON.stringify(span.attributes)).not.toContain('seen');
  }
  await expect(call('wiki__nothing')).rejects.toThrow('Unknown tool');
  expect(calls()[0]).toMatchObject({ attributes: { 'error.type': 'rpc_error -32602' } });
});

it.each([
  { traceparent: 5, tracestate: { a: 1 } },
  { traceparent: 'x'.repeat(100_000) },
  { traceparent: '00-zz-zz-01' },
])('begins a trace of its own where the client writes what is none', async (meta) => {
  register();
  expect(await call('wiki__look', meta)).toMatchObject({ content: [{ text: 'seen' }] });
  expect(calls()[0]?.parentSpanContext).toBeUndefined();
});
