import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { createMcpServer, type Operation } from '@contextloom/server-kit';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { createChatServers } from '../../src/build-chat-server.ts';
import { createOperationDeps } from '../../src/build-server.ts';
import { startUpstream } from './gateway.ts';

/** A chat of Ann in this process. */
export interface ChatOver {
  readonly client: TestClient;
  readonly close: () => Promise<void>;
}

/** Opens a chat over stores that have these operations alone, each over real HTTP; `storeMs` is how long a store is waited for. */
export async function openChatOver(
  stores: Readonly<Record<string, readonly Operation<undefined>[]>>,
  storeMs: number,
): Promise<ChatOver> {
  const started = await Promise.all(
    Object.entries(stores).map(async ([name, operations]) => {
      const factory = createMcpServer({ name, version: '0', log: silentLog, operations, deps: undefined });
      return [name, await startUpstream(factory)] as const;
    }),
  );
  const servers = Object.fromEntries(started.map(([name, { address }]) => [name, { url: address, headers: {} }]));
  const upstreams = createUpstreams({ servers, log: silentLog, clientName: 'test', clientVersion: '0' });
  // The connections are made before: what takes its time is a call.
  for (const name of Object.keys(servers)) await upstreams.listTools(name, { timeoutMs: 60_000 });
  const deadlines = { sourceMs: storeMs, storeMs };
  const toSettings = () => ({ deadlines, ownServers: new Set(Object.keys(servers)) });
  const deps = createOperationDeps({ upstreams, toSettings, log: silentLog });
  const { chat } = createChatServers({ deps, toServers: () => [], userId: 'ann', zone: 'UTC', version: '0' });
  const client = await connectInMemory(chat);
  return {
    client,
    close: async () => {
      await client.close();
      await upstreams.close();
      for (const [, upstream] of started) await upstream.close();
    },
  };
}
