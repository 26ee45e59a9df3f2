import { silentLog } from '@contextloom/runtime';
import { createChanges, createMcpServer, defineResource } from '@contextloom/server-kit';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createTestGateway, only, type RunningUpstream, startUpstream, type TestGateway } from '../support/gateway.ts';

/** A server whose pages change. */
function createPages(name: string) {
  const changes = createChanges({ log: silentLog });
  const page = defineResource({
    uri: 'page://{id}',
    name: 'page',
    title: 'A page',
    description: 'A page.',
    mimeType: 'text/plain',
    variables: z.object({ id: z.enum(['one', 'two']) }),
    list: async () => ['one', 'two'].map((id) => ({ variables: { id }, name: `${name} ${id}` })),
    read: ({ id }) => ({ text: `${name} ${id}` }),
  });
  const factory = createMcpServer({ name, version: '1', resources: [page], changes, deps: {}, log: silentLog });
  return { changes, factory };
}

const pages = {
  house: createPages('house'),
  old: createPages('old'),
  both: createPages('both'),
  young: createPages('young'),
};
type Server = keyof typeof pages;

let upstreams: readonly RunningUpstream[];
let gateway: TestGateway;

beforeAll(async () => {
  const { house, old, both, young } = pages;
  upstreams = [
    await startUpstream(house.factory),
    await startUpstream(old.factory, 'legacy'),
    await startUpstream(both.factory),
    await startUpstream(young.factory, 'modern'),
  ];
  const addresses = upstreams.map(({ address }) => address);
  const urls = Object.fromEntries(Object.keys(pages).map((name, at) => [name, addresses[at] ?? '']));
  gateway = createTestGateway({ urls, ownServers: ['house'] });
});
afterAll(async () => {
  await gateway.close();
  for (const upstream of upstreams) await upstream.close();
});

/** The URI of a page for clients: the first server that has it keeps its own. */
const shown = (server: Server, id: string): string => `${server === 'house' ? '' : `${server}+`}page://${id}`;

function hear({ client }: TestClient): string[] {
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('list'));
  return heard;
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise(setImmediate);
};

describe.each(Object.keys(pages) as Server[])('a change at server %s', (server) => {
  it('is heard by a client with a session that watches the resource, until it watches no more', async () => {
    const watching = await connectInMemory(gateway.factory, only('ann'));
    const other = await connectInMemory(gateway.factory, only('ben'));
    const [heard, others] = [hear(watching), hear(other)];
    await watching.client.listResources();
    await other.client.listResources();
    await watching.client.subscribeResource({ uri: shown(server, 'one') });
    pages[server].changes.resourceUpdated('page://two');
    pages[server].changes.resourceUpdated('page://one');
    await until(() => heard.length > 0);
    expect(heard).toEqual([shown(server, 'one')]);
    await watching.client.unsubscribeResource({ uri: shown(server, 'one') });
    await watching.client.subscribeResource({ uri: shown(server, 'two') });
    pages[server].changes.resourceUpdated('page://one');
    pages[server].changes.resourceUpdated('page://two');
    await until(() => heard.length > 1);
    expect(heard).toEqual(['one', 'two'].map((id) => shown(server, id)));
    expect(others).toEqual([]);
    await watching.close();
    await other.close();
  });

  it('is heard by a client of 2026-07-28 that listens, and by no other', async () => {
    const watching = await connectOverFetch(gateway.factory, '2026-07-28', only('ann'));
    const other = await connectOverFetch(gateway.factory, '2026-07-28', only('ben'));
    const [heard, others] = [hear(watching), hear(other)];
    const asked = [shown(server, 'one'), 'page://none'];
    const first = await watching.client.listen({ resourceSubscriptions: asked });
    expect(first.honoredFilter).toEqual({ resourceSubscriptions: [shown(server, 'one')] });
    const second = await other.client.listen({ resourceSubscriptions: [shown(server, 'two')] });
    pages[server].changes.resourceUpdated('page://one');
    await until(() => heard.length > 0);
    pages[server].changes.resourceUpdated('page://two');
    await until(() => others.length > 0);
    expect([heard, others]).toEqual([[shown(server, 'one')], [shown(server, 'two')]]);
    await first.close();
    await second.close();
    await watching.close();
    await other.close();
  });

  it('to what it lists is heard by both, and listed', async () => {
    const session = await connectInMemory(gateway.factory);
    const stateless = await connectOverFetch(gateway.factory);
    const [heard, others] = [hear(session), hear(stateless)];
    await stateless.client.listen({ resourcesListChanged: true });
    await session.client.listResources();
    await stateless.client.listResources();
    await session.client.listResources();
    pages[server].changes.resourcesChanged();
    await until(() => heard.length > 0 && others.length > 0);
    expect([...heard, ...others].every((what) => what === 'list')).toBe(true);
    await session.close();
    await stateless.close();
  });
});

it('a page that several watch is watched until the last of them listens no more', async () => {
  const client = await connectOverFetch(gateway.factory, '2026-07-28', only('ann'));
  const heard = hear(client);
  const uri = shown('young', 'one');
  const first = await client.client.listen({ resourceSubscriptions: [uri] });
  const second = await client.client.listen({ resourceSubscriptions: [uri] });
  await first.close();
  pages.young.changes.resourceUpdated('page://one');
  await until(() => heard.length > 0);
  expect(heard).toEqual([uri]);
  await second.close();
  await client.close();
});
