import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { type RawUpstream, startRawUpstream } from '../support/raw-upstream.ts';

let upstream: RawUpstream;
let gateway: TestGateway;
let clients: readonly TestClient[];

beforeAll(async () => {
  upstream = await startRawUpstream();
  gateway = createTestGateway({ urls: { raw: upstream.address } });
  clients = [await connectInMemory(gateway.factory), await connectOverFetch(gateway.factory, '2026-07-28')];
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await gateway.close();
  await upstream.close();
});

describe.each(['JSON', 'an event stream that stays open'])('a malformed answer as %s', (form) => {
  it.each(['"result":null', '"result":7', '"error":"broken"', '"error":null', '"error":{}', '"nothing":1'])(
    'ends its call at once with the reason: %s',
    async (answer) => {
      upstream.answer = answer;
      upstream.isStream = form !== 'JSON';
      for (const { client } of clients) {
        const { isError, content } = await client.callTool({ name: 'raw__any', arguments: {} });
        expect(isError).toBe(true);
        expect(content).toEqual([{ type: 'text', text: 'raw answered something that is not a result.' }]);
      }
      upstream.answer = '"result":{"content":[]}';
      expect(await clients[0]?.client.callTool({ name: 'raw__any', arguments: {} })).toMatchObject({ content: [] });
    },
  );
});

it('a call that asks for a task is passed on without it', async () => {
  upstream.answer = '"result":{"content":[]}';
  upstream.isStream = false;
  for (const { client } of clients) {
    const params = { name: 'raw__any', arguments: {}, task: { ttl: 60_000 } };
    await client.request({ method: 'tools/call', params } as never);
    expect(upstream.params).toMatchObject({ name: 'any' });
    expect(upstream.params).not.toHaveProperty('task');
  }
});
