import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { connectOverHttp } from '@contextloom/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeComposition } from '../support/composition.ts';
import { knowledgeBase } from '../support/scripts.ts';
import { startHttpAggregator } from '../support/server-process.ts';

/** A request of OTLP over HTTP, as far as this reads it. */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: object }[] };
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string; readonly traceId: string }[] }[];
  }[];
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const received: { readonly path: string | undefined; readonly body: Export }[] = [];
let collector: Server;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    received.push({ path: request.url, body: (await json(request)) as Export });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => collector.close(resolve)));

it('sends the spans of a process to the collector that is set, the last ones when it ends', async () => {
  const { file, remove } = await writeComposition({ servers: { 'knowledge-base': knowledgeBase({ total: 0 }) } });
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const aggregator = await startHttpAggregator(file, { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT });
  const client = await connectOverHttp(aggregator.url);
  const _meta = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  await client.client.callTool({ name: 'get_service_status', arguments: {}, _meta });
  await client.close();
  expect(await aggregator.stop()).toBe(0);
  const [first] = received;
  expect(first?.path).toBe('/v1/traces');
  const [resourceSpans] = first?.body.resourceSpans ?? [];
  expect(resourceSpans?.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'context-aggregator' },
  });
  const spans = resourceSpans?.scopeSpans.flatMap((scope) => scope.spans);
  expect(spans).toContainEqual(expect.objectContaining({ name: 'tools/call get_service_status', traceId: TRACE }));
  await remove();
});
