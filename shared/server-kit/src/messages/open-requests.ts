import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';

/** The requests of a connection that are not answered yet. */
export interface OpenRequests {
  /** Takes note of a message that came in: a request, or the cancellation of one. */
  readonly noteIncoming: (message: JSONRPCMessage) => void;
  /** Takes note of a message that was sent: an answer closes its request. */
  readonly noteSent: (message: JSONRPCMessage) => void;
  readonly count: () => number;
  readonly has: (id: RequestId) => boolean;
  /** Closes a request that was refused before anybody could answer it. */
  readonly settle: (id: RequestId) => void;
  /** Resolves once none is open, and after `timeoutMs` at the latest. */
  readonly untilAnswered: (timeoutMs: number) => Promise<void>;
  /** Gives all of them up. */
  readonly clear: () => void;
}

/** A subscription of the revision 2026-07-28: answered when the connection ends, so that its end must not wait for the answer. */
export const SUBSCRIPTION = 'subscriptions/listen';

/** Counts none at first. */
export function createOpenRequests(): OpenRequests {
  const open = new Set<RequestId>();
  let onNone = (): void => undefined;
  const settle = (id: unknown): void => {
    if (open.delete(id as RequestId) && open.size === 0) onNone();
  };
  return {
    count: () => open.size,
    has: (id) => open.has(id),
    settle,
    noteIncoming: (message) => {
      if (isJSONRPCRequest(message) && message.method !== SUBSCRIPTION) open.add(message.id);
      else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
        settle(message.params?.['requestId']);
    },
    noteSent: (message) => {
      if (!('method' in message)) settle(message.id);
    },
    untilAnswered: async (timeoutMs) => {
      if (open.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onNone = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    clear: () => {
      open.clear();
      onNone();
    },
  };
}
