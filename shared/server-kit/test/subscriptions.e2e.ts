import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectListening } from '../../server-kit/test/support/listening-client.ts';

let open: Client | undefined;
afterEach(() => open?.close());

async function connect(...args: Parameters<typeof connectListening>): ReturnType<typeof connectListening> {
  const connected = await connectListening(...args);
  open = connected.client;
  return connected;
}

// A real child, since the stdio entry picks and stamps what it sends.
describe('subscriptions over stdio', () => {
  const script = fileURLToPath(new URL('./fixtures/counting-server.mjs', import.meta.url));
  const startChild = () => new StdioClientTransport({ command: process.execPath, args: [script], stderr: 'ignore' });

  it('tell a 2025-era client', async () => {
    const { client, heard } = await connect(startChild(), 'legacy');
    await client.subscribeResource({ uri: 'memory://count' });
    await client.callTool({ name: 'count', arguments: {} });
    await heard.untilListed();
    expect(heard.uris).toEqual(['memory://count']);
  });

  it('tell a 2026-07-28 client what it listens to', async () => {
    const { client, heard } = await connect(startChild(), { pin: '2026-07-28' });
    await client.callTool({ name: 'count', arguments: {} });
    await client.listen({ resourceSubscriptions: ['memory://count'], resourcesListChanged: true });
    await client.callTool({ name: 'count', arguments: {} });
    await heard.untilListed();
    expect(heard.uris).toEqual(['memory://count']);
  });
});
