import { localPrincipal, type Principal, toAuthInfo } from '@contextloom/access';
import type { Flag, FlagValues, Log } from '@contextloom/runtime';
import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { listenOverStdio } from './server/listen-over-stdio.ts';
import type { ServerFactory } from './server/server-factory.ts';

/** The flag by which a server offers only what reads. */
export const readOnlyFlag: Readonly<Record<string, Flag>> = {
  'read-only': { type: 'boolean', description: 'Offer only what changes nothing' },
};

/** Whoever starts a server may do all that it does, unless they say less. */
export function toPrincipal(flags: FlagValues): Principal {
  return flags['read-only'] === true ? { ...localPrincipal, scopes: ['read'] } : localPrincipal;
}

/** What a server is served to one client with. */
export interface ServeOverOptions {
  readonly transport: Transport;
  /** Who calls, since a transport of this machine tells nothing of that. */
  readonly principal: Principal;
  readonly log: Log;
}

/** Serves one client over a transport of this machine, in the revision of the protocol that it opens with. */
export function serveOver(
  factory: ServerFactory,
  { transport: wire, principal, log }: ServeOverOptions,
): { readonly close: () => Promise<void> } {
  const authInfo = toAuthInfo(principal);
  const onerror = (cause: Error): void => log.warn({ cause }, 'MCP message refused');
  const { listen } = factory;
  const transport = listen === undefined ? wire : listenOverStdio(wire, { listen, authInfo, onerror });
  const handle = serveStdio((context) => factory({ ...context, authInfo }), { transport, onerror });
  return { close: () => handle.close() };
}
