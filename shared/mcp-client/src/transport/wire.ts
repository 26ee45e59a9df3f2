import type { Client, ServerCapabilities, Transport } from '@modelcontextprotocol/client';

/** An open connection as the protocol's own messages see it, for who passes them on as they are. */
export interface Wire {
  /** `modern` is the stateless revision 2026-07-28, whose requests carry what a session of `legacy` remembers. */
  readonly era: 'legacy' | 'modern';
  /** The revision that both sides speak. */
  readonly revision: string;
  readonly capabilities: ServerCapabilities;
  /** What all requests share. Its `onmessage` belongs to the SDK's client: put another in front of it, and pass on what is not yours. */
  readonly transport: Transport;
  /** Asks a server of 2026-07-28 to report changes; the notifications come over the transport. */
  readonly listen: Client['listen'];
  /** Over streamable HTTP: a transport for one request, so that what comes over it is known to belong to this request. */
  readonly forRequest?: ((onBroken: (error: Error) => void) => Transport) | undefined;
}

/** Tells what a connected client knows of its connection. */
export function toWire(client: Client, transport: Transport, forRequest: Wire['forRequest']): Wire {
  return {
    era: client.getProtocolEra() ?? 'legacy',
    revision: client.getNegotiatedProtocolVersion() ?? '',
    capabilities: client.getServerCapabilities() ?? {},
    transport,
    listen: (filter, options) => client.listen(filter, options),
    forRequest,
  };
}
