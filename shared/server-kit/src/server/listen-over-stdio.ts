import {
  type AuthInfo,
  isJSONRPCNotification,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { parseListen } from './listening.ts';
import type { ServerFactory } from './server-factory.ts';

/** Who listens over a transport, and who has changes reported. */
export interface ListenOverStdioOptions {
  readonly listen: NonNullable<ServerFactory['listen']>;
  readonly authInfo: AuthInfo;
  readonly onerror: (cause: Error) => void;
}

/**
 * Holds a request to listen back until its resources are watched: the SDK answers it by itself, and no server gets to see it.
 * What is refused stays in the SDK's hands, without resources.
 */
export function listenOverStdio(wire: Transport, { listen, authInfo, onerror }: ListenOverStdioOptions): Transport {
  const open = new Map<RequestId, { end: () => void }>();
  const transport: Transport = {
    start: () => wire.start(),
    send: (message, options) => wire.send(message, options),
    close: () => wire.close(),
  };
  const begin = async (message: JSONRPCMessage, request: NonNullable<ReturnType<typeof parseListen>>) => {
    const { id, params, uris } = request;
    let isGivenUp = false;
    const listening = {
      end: (): void => {
        isGivenUp = true;
      },
    };
    open.set(id, listening);
    const granted = await listen({ authInfo, params, uris, transport: 'stdio' }).catch((cause: Error) => {
      onerror(cause);
      return { uris: [], end: () => undefined };
    });
    if (isGivenUp) return granted.end();
    listening.end = granted.end;
    transport.onmessage?.(request.withUris(granted.uris) as typeof message);
  };
  wire.onmessage = (message) => {
    const request = parseListen(message);
    if (request !== undefined) return void begin(message, request);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'] as RequestId;
      open.get(id)?.end();
      open.delete(id);
    }
    transport.onmessage?.(message);
  };
  wire.onerror = (error) => transport.onerror?.(error);
  wire.onclose = () => {
    for (const { end } of open.values()) end();
    open.clear();
    transport.onclose?.();
  };
  return transport;
}
