import { ProtocolErrorCode, type ServerEvent, type ServerEventBus } from '@modelcontextprotocol/server';
import type { Origin, RpcNotification } from './messages/rpc.ts';

/** The way to a client of 2026-07-28 beside its calls: such a client hears what it listens for, and is asked nothing. */
export interface Broadcast {
  readonly origin: Origin;
  /** Registers a listener; the answer takes it out again. */
  readonly hear: (listener: (notification: RpcNotification) => void) => () => void;
  /** The same for listeners over HTTP, which the SDK serves from a bus. */
  readonly bus: ServerEventBus;
}

/** Passes on what servers say to all who listen. */
export function createBroadcast(): Broadcast {
  const listeners = new Set<(notification: RpcNotification) => void>();
  const hear: Broadcast['hear'] = (listener) => {
    const own: typeof listener = (notification) => listener(notification);
    listeners.add(own);
    return () => void listeners.delete(own);
  };
  const notify = (notification: RpcNotification): void => {
    for (const listener of listeners) listener(notification);
  };
  return {
    hear,
    origin: {
      notify,
      ask: async () => ({ error: { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' } }),
    },
    bus: {
      publish: () => undefined,
      subscribe: (listener) =>
        hear((notification) => {
          const event = toEvent(notification);
          if (event !== undefined) listener(event);
        }),
    },
  };
}

const listEvents: ReadonlyMap<string, Exclude<ServerEvent['kind'], 'resource_updated'>> = new Map([
  ['notifications/tools/list_changed', 'tools_list_changed'],
  ['notifications/prompts/list_changed', 'prompts_list_changed'],
  ['notifications/resources/list_changed', 'resources_list_changed'],
]);

function toEvent({ method, params }: RpcNotification): ServerEvent | undefined {
  const kind = listEvents.get(method);
  if (kind !== undefined) return { kind };
  const uri = params?.['uri'];
  return method === 'notifications/resources/updated' && typeof uri === 'string'
    ? { kind: 'resource_updated', uri, params: { ...params } }
    : undefined;
}
