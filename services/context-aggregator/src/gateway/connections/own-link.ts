import type { McpServerFactory } from '@contextloom/server-kit';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { createChannel } from '../messages/channel.ts';
import type { Link, OpenLink } from '../messages/provider.ts';
import type { Origin } from '../messages/rpc.ts';

/** What a link to the aggregator's own operations is made from. */
export interface OwnLinkOptions {
  readonly factory: McpServerFactory;
  readonly authInfo: AuthInfo | undefined;
}

/** The way of one client to the aggregator's own operations. */
export interface OwnLink {
  readonly link: (home: Origin) => Link;
  readonly close: () => Promise<void>;
}

/** Links one client to the aggregator's own operations: a server in this process, which gets the caller with each request. */
export function createOwnLink({ factory, authInfo }: OwnLinkOptions): OwnLink {
  let opened: Promise<OpenLink> | undefined;
  const [near, far] = InMemoryTransport.createLinkedPair();

  async function open(home: Origin): Promise<OpenLink> {
    const server = await factory({ era: 'legacy', ...(authInfo !== undefined && { authInfo }) });
    await server.connect(far);
    const channel = createChannel({ transport: near, home, namesCalls: true });
    await near.start();
    return { channel, era: 'legacy', revision: '', capabilities: { tools: {} } };
  }

  return {
    link: (home) => ({
      trust: 'self',
      isOpen: () => true,
      use: async ({ signal }, work) => {
        opened ??= open(home);
        return { kind: 'ok', value: await work(await opened, signal) };
      },
    }),
    close: async () => {
      await opened;
      await near.close();
    },
  };
}
