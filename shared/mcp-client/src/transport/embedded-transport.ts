import { ContextloomError, FAILURE_KEY, isContextloomError, toReportedFailure } from '@contextloom/contracts';
import { InMemoryTransport, ProtocolError, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/client';
import type { StdioServerEntry } from '../composition/config.ts';
import type { OpenedTransport } from './opened-transport.ts';

/** Serves a server of this installation over one end of a pair of linked transports; the answer ends that. */
export type ServeEmbedded = (transport: Transport) => Promise<() => Promise<void>>;

/** Finds how to run an entry's server in this process; undefined for an entry that needs a process of its own. */
export type Embed = (entry: StdioServerEntry) => ServeEmbedded | undefined;

/** Two linked ends. As over a pipe, the sides share no value, and what JSON leaves out does not arrive. */
function createLinkedTransports(): readonly [Transport, Transport] {
  const ends = InMemoryTransport.createLinkedPair();
  for (const end of ends) {
    const send = end.send.bind(end);
    end.send = async (message) => send(JSON.parse(JSON.stringify(message)));
  }
  return ends;
}

/** The error that a server in a process of its own answers the handshake with when it cannot open: it tells the caller why. */
function toRefusal(cause: unknown): ProtocolError {
  const error = isContextloomError(cause)
    ? cause
    : new ContextloomError('internal', 'the server cannot be opened; its log says why', { cause });
  const failure = toReportedFailure(error);
  const refusal = new ProtocolError(ProtocolErrorCode.InternalError, failure.message, { [FAILURE_KEY]: failure });
  refusal.cause = cause;
  return refusal;
}

/** Makes a transport to a server in this process, which is opened when the transport starts. */
export function createEmbeddedTransport(serve: ServeEmbedded): OpenedTransport {
  const [near, far] = createLinkedTransports();
  const start = near.start.bind(near);
  let serving: Promise<() => Promise<void>> | undefined;
  near.start = async () => {
    serving = serve(far).catch((cause: unknown) => {
      throw toRefusal(cause);
    });
    await serving;
    await start();
  };
  const end = async (): Promise<void> => {
    const stop = await serving?.catch(() => undefined); // The connection that waited for it has the reason.
    await stop?.();
  };
  return { transport: near, end };
}
