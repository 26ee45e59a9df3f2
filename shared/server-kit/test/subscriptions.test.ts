import { setTimeout } from 'node:timers/promises';
import { localPrincipal } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { afterEach, describe, expect, it } from '@jest/globals';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { createApi } from '../src/http/api.ts';
import { createHttpApp } from '../src/http/app.ts';
import { type Listening, listen } from '../src/http/listen.ts';
import { createMcpEndpoint } from '../src/http/mcp-endpoint.ts';
import { type Changes, createChanges } from '../src/resources/changes.ts';
import { defineResource } from '../src/resources/resource.ts';
import { createMcpServer } from '../src/server/server-factory.ts';
import { connectListening, type Heard, hear } from './support/listening-client.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const resource = defineResource({
  uri: 'memory://note{?user_id}',
  name: 'note',
  title: 'Note',
  description: 'A note.',
  mimeType: 'text/plain',
  variables: z.object({ user_id: z.string().optional() }),
  read: () => ({ text: 'a note' }),
});

async function connectClient(...args: Parameters<typeof connectListening>): ReturnType<typeof connectListening> {
  const connected = await connectListening(...args);
  closers.push(() => connected.client.close());
  return connected;
}

async function startHttp(): Promise<{ listening: Listening; changes: Changes }> {
  const changes = createChanges({ log: silentLog });
  const definition = { name: 'notes', version: '0', operations: [], resources: [resource], deps: {}, log: silentLog };
  const endpoint = createMcpEndpoint(createMcpServer({ ...definition, changes, bound: { user_id: 'ann' } }), {
    log: silentLog,
  });
  const app = await createHttpApp();
  app.all('/mcp', endpoint.handle);
  const listening = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
  closers.push(
    () => listening.close(),
    () => endpoint.close(),
  );
  return { listening, changes };
}

/** A session's client opens the stream that it listens on by itself, some time after it has connected. */
async function untilStreamOpen(changes: Changes, heard: Heard): Promise<void> {
  while (heard.lists === 0) {
    changes.resourcesChanged();
    await setTimeout(5);
  }
}

describe('subscriptions over HTTP', () => {
  it('tell a 2025-era session of the resources that it named, until it no longer does', async () => {
    const { listening, changes } = await startHttp();
    const { client, heard } = await connectClient(
      new StreamableHTTPClientTransport(new URL(`${listening.url}/mcp`)),
      'legacy',
    );
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
    await untilStreamOpen(changes, heard);
    await expect(client.subscribeResource({ uri: 'memory://nothing' })).rejects.toThrow('there is no resource');
    await expect(client.subscribeResource({ uri: 'memory://note?user_id=bob' })).rejects.toThrow(
      'user_id must be "ann"',
    );
    const marker = 'memory://note?user_id=ann';
    await client.subscribeResource({ uri: marker });
    changes.resourceUpdated('memory://note');
    await client.subscribeResource({ uri: 'memory://note' });
    changes.resourceUpdated('memory://note');
    await client.unsubscribeResource({ uri: 'memory://note' });
    changes.resourceUpdated('memory://note');
    changes.resourceUpdated(marker);
    await heard.untilUpdated(marker);
    expect(heard.uris).toEqual(['memory://note', marker]);
  });

  it('tell a 2026-07-28 client of what it listens to, and of no other user', async () => {
    const { listening, changes } = await startHttp();
    const { client, heard } = await connectClient(new StreamableHTTPClientTransport(new URL(`${listening.url}/mcp`)), {
      pin: '2026-07-28',
    });
    const foreign = 'memory://note?user_id=bob';
    const subscription = await client.listen({
      resourceSubscriptions: ['memory://note', foreign],
      resourcesListChanged: true,
    });
    changes.resourceUpdated(foreign);
    changes.resourceUpdated('memory://note');
    changes.resourcesChanged();
    await heard.untilListed();
    expect(heard.uris).toEqual(['memory://note']);
    await subscription.close();
  });

  it('tell a 2026-07-28 client of nothing that its principal may not read', async () => {
    const changes = createChanges({ log: silentLog });
    const definition = { name: 'notes', version: '0', resources: [resource], deps: {}, log: silentLog, changes };
    const endpoint = createMcpEndpoint(createMcpServer(definition), { log: silentLog });
    const api = createApi({ title: 'n', description: 'n', version: '0', routes: [], deps: {}, log: silentLog });
    const ann = { ...localPrincipal, name: 'ann-key', users: ['ann'] };
    const app = await api.toApp({ mcp: endpoint, guard: { identify: () => ann } });
    const listening = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
    closers.push(
      () => listening.close(),
      () => endpoint.close(),
    );
    const { client, heard } = await connectClient(new StreamableHTTPClientTransport(new URL(`${listening.url}/mcp`)), {
      pin: '2026-07-28',
    });
    const [own, foreign] = ['memory://note?user_id=ann', 'memory://note?user_id=bob'];
    const subscription = await client.listen({ resourceSubscriptions: [own, foreign], resourcesListChanged: true });
    changes.resourceUpdated(foreign);
    changes.resourceUpdated(own);
    changes.resourcesChanged();
    await heard.untilListed();
    expect(heard.uris).toEqual([own]);
    await subscription.close();
  });

  it('reach a client of the first SDK', async () => {
    const { listening, changes } = await startHttp();
    const client = new ClientV1({ name: 'v1', version: '0' });
    const heard = hear();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      heard.onUpdated(params.uri);
    });
    client.setNotificationHandler(ResourceListChangedNotificationSchema, heard.onListed);
    // The first SDK's own types do not allow for exactOptionalPropertyTypes.
    await client.connect(new HttpTransportV1(new URL(`${listening.url}/mcp`)) as Parameters<ClientV1['connect']>[0]);
    closers.push(() => client.close());
    await untilStreamOpen(changes, heard);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['memory://note']);
    expect((await client.readResource({ uri: 'memory://note' })).contents).toMatchObject([{ text: 'a note' }]);
    await client.subscribeResource({ uri: 'memory://note' });
    changes.resourceUpdated('memory://note');
    await heard.untilUpdated('memory://note');
  });
});
