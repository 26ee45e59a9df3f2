import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import {
  type Changes,
  createChanges,
  createHttpApp,
  createMcpEndpoint,
  createMcpServer,
  defineResource,
  type Listening,
  listen,
  silentLog,
} from '../src/index.ts';

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

async function startHttp(): Promise<{ door: Listening; changes: Changes }> {
  const changes = createChanges({ log: silentLog });
  const definition = { name: 'notes', version: '0', tools: [], resources: [resource], deps: {}, log: silentLog };
  const endpoint = createMcpEndpoint(createMcpServer({ ...definition, changes, bound: { user_id: 'ann' } }), {
    log: silentLog,
  });
  const app = await createHttpApp();
  app.all('/mcp', endpoint.handle);
  const door = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
  closers.push(
    () => door.close(),
    () => endpoint.close(),
  );
  return { door, changes };
}

/** What a client hears, in order. */
interface Heard {
  readonly uris: readonly string[];
  readonly lists: number;
  /** Resolves when this was heard last. */
  readonly untilUpdated: (uri: string) => Promise<void>;
  readonly untilListed: () => Promise<void>;
}

function hear(): Heard & { readonly onUpdated: (uri: string) => void; readonly onListed: () => void } {
  const updates = new EventEmitter();
  const heard = { uris: [] as string[], lists: 0 };
  const wait = async (name: string, isHeard: () => boolean): Promise<void> => {
    if (!isHeard()) await once(updates, name);
  };
  return {
    get uris() {
      return heard.uris;
    },
    get lists() {
      return heard.lists;
    },
    onUpdated: (uri) => {
      heard.uris.push(uri);
      updates.emit(uri);
    },
    onListed: () => {
      heard.lists += 1;
      updates.emit('listed');
    },
    untilUpdated: (uri) => wait(uri, () => heard.uris.at(-1) === uri),
    untilListed: () => wait('listed', () => heard.lists > 0),
  };
}

async function connectClient(
  transport: Parameters<Client['connect']>[0],
  mode: 'legacy' | { pin: string },
): Promise<{ client: Client; heard: Heard }> {
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
  const heard = hear();
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.onUpdated(params.uri);
  });
  client.setNotificationHandler('notifications/resources/list_changed', heard.onListed);
  await client.connect(transport);
  closers.push(() => client.close());
  return { client, heard };
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
    const { door, changes } = await startHttp();
    const { client, heard } = await connectClient(
      new StreamableHTTPClientTransport(new URL(`${door.url}/mcp`)),
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
    const { door, changes } = await startHttp();
    const { client, heard } = await connectClient(new StreamableHTTPClientTransport(new URL(`${door.url}/mcp`)), {
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

  it('reach a client of the first SDK', async () => {
    const { door, changes } = await startHttp();
    const client = new ClientV1({ name: 'v1', version: '0' });
    const heard = hear();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      heard.onUpdated(params.uri);
    });
    client.setNotificationHandler(ResourceListChangedNotificationSchema, heard.onListed);
    // The first SDK's own types do not allow for exactOptionalPropertyTypes.
    await client.connect(new HttpTransportV1(new URL(`${door.url}/mcp`)) as Parameters<ClientV1['connect']>[0]);
    closers.push(() => client.close());
    await untilStreamOpen(changes, heard);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['memory://note']);
    expect((await client.readResource({ uri: 'memory://note' })).contents).toMatchObject([{ text: 'a note' }]);
    await client.subscribeResource({ uri: 'memory://note' });
    changes.resourceUpdated('memory://note');
    await heard.untilUpdated('memory://note');
  });
});

// A real child, since the stdio entry picks and stamps what it sends.
describe('subscriptions over stdio', () => {
  const script = fileURLToPath(new URL('./fixtures/counting-server.mjs', import.meta.url));
  const startChild = () => new StdioClientTransport({ command: process.execPath, args: [script], stderr: 'ignore' });

  it('tell a 2025-era client', async () => {
    const { client, heard } = await connectClient(startChild(), 'legacy');
    await client.subscribeResource({ uri: 'memory://count' });
    await client.callTool({ name: 'count', arguments: {} });
    await heard.untilListed();
    expect(heard.uris).toEqual(['memory://count']);
  });

  it('tell a 2026-07-28 client what it listens to', async () => {
    const { client, heard } = await connectClient(startChild(), { pin: '2026-07-28' });
    await client.callTool({ name: 'count', arguments: {} });
    await client.listen({ resourceSubscriptions: ['memory://count'], resourcesListChanged: true });
    await client.callTool({ name: 'count', arguments: {} });
    await heard.untilListed();
    expect(heard.uris).toEqual(['memory://count']);
  });
});
