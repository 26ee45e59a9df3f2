import { localPrincipal, type Principal, principalOf } from '@contextloom/access';
import type { HeadedRequest, ListenRequest, Subscription } from '@contextloom/server-kit';
import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities } from '@modelcontextprotocol/client';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { createBroadcast } from './broadcast.ts';
import type { ClientPool, PooledClient } from './client-pool.ts';
import { withoutTasks } from './client-server.ts';
import { type Call, narrowCaller } from './messages/call.ts';
import { findParamMismatch } from './messages/param-headers.ts';
import { metaOf } from './messages/rpc.ts';
import { type GatewayOptions, type OpenClient, openClient } from './open-client.ts';

/** Clients of 2026-07-28: they have no session over HTTP, and hear of changes where they listen. */
export interface ModernClients {
  /** What a caller over HTTP has open. */
  readonly pooled: (principal: Principal, authInfo: AuthInfo | undefined) => PooledClient;
  /** What the client of a connection over stdio has open, which is known by its `authInfo`. */
  readonly connected: (authInfo: AuthInfo | undefined) => PooledClient;
  readonly listen: (request: ListenRequest) => Promise<Subscription>;
  /** Why the headers of a call over HTTP contradict what it says. */
  readonly findMismatch: (request: HeadedRequest) => Promise<string | undefined>;
}

/** Where such clients are kept. */
export interface ModernClientsOptions {
  readonly pool: ClientPool;
  /** What is to be closed with the gateway. */
  readonly sessions: Set<OpenClient>;
}

/** Opens providers for clients of 2026-07-28, and has changes reported to those that listen. */
export function createModernClients(options: GatewayOptions, { pool, sessions }: ModernClientsOptions): ModernClients {
  const connections = new WeakMap<AuthInfo, PooledClient>();

  function open(principal: Principal, authInfo: AuthInfo | undefined): PooledClient {
    const broadcast = createBroadcast();
    // Such a client says with each request what it can do.
    const user = options.toUser(principal);
    const identity = {
      era: 'modern',
      capabilities: {},
      authInfo,
      principal,
      user,
      standalone: broadcast.origin,
    } as const;
    return { broadcast, opened: openClient(options, identity) };
  }

  const toKey = (principal: Principal): string => JSON.stringify([principal, options.toUser(principal)]);
  const pooled: ModernClients['pooled'] = (principal, authInfo) =>
    pool.take(toKey(principal), () => open(principal, authInfo));

  const connected: ModernClients['connected'] = (authInfo) => {
    const known = authInfo && connections.get(authInfo);
    if (known !== undefined && sessions.has(known.opened)) return known;
    const client = open(principalOf(authInfo) ?? localPrincipal, authInfo);
    sessions.add(client.opened);
    if (authInfo !== undefined) connections.set(authInfo, client);
    return client;
  };

  return {
    pooled,
    connected,
    findMismatch: async ({ headers, params, authInfo }) => {
      const name = params['name'];
      if (typeof name !== 'string') return undefined;
      const can = withoutTasks(Object(metaOf(params)[CLIENT_CAPABILITIES_META_KEY]) as ClientCapabilities);
      const principal = narrowCaller(principalOf(authInfo) ?? localPrincipal, params);
      const tool = await pooled(principal, authInfo).opened.session.tool(name, can);
      return tool && findParamMismatch(tool, params['arguments'], headers);
    },
    listen: async ({ authInfo, params, uris, transport }) => {
      const principal = narrowCaller(principalOf(authInfo) ?? localPrincipal, params);
      const isPooled = transport === 'http';
      const { opened, broadcast } = isPooled ? pooled(principal, authInfo) : connected(authInfo);
      const release = isPooled ? pool.hold(toKey(principal)) : () => undefined;
      try {
        const watched = await opened.watch(uris, toListener(principal, authInfo));
        return {
          uris: watched.uris,
          bus: broadcast.bus,
          end: () => {
            watched.end();
            release();
          },
        };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** The call of a client that listens, as its providers see it. */
const toListener = (principal: Principal, authInfo: AuthInfo | undefined): Call => ({
  ...createBroadcast().origin,
  principal,
  authInfo,
  signal: new AbortController().signal,
  era: 'modern',
  capabilities: {},
  input: {},
  onProgress: () => undefined,
});
