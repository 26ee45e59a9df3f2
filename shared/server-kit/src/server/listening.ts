import type { AuthInfo, ServerEventBus } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { SUBSCRIPTION } from '../messages/open-requests.ts';

/** What a client of 2026-07-28 asks to hear with `subscriptions/listen`. */
export interface ListenRequest {
  /** Over stdio the same object as that of its server. */
  readonly authInfo: AuthInfo | undefined;
  /** The request's params as they came. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The resources that it wants to watch. */
  readonly uris: readonly string[];
  /** Over stdio the client's own server tells of changes; over HTTP the bus of the answer does. */
  readonly transport: 'stdio' | 'http';
}

/** What such a client will hear. */
export interface Subscription {
  /** The resources, of those that it asked for, that are watched for it. */
  readonly uris: readonly string[];
  /** Where changes come from over HTTP. */
  readonly bus: ServerEventBus;
  /** Has nothing watched for it any more. */
  readonly end: () => void;
}

/** A `subscriptions/listen` request, taken apart. */
export interface ParsedListen {
  readonly id: string | number;
  readonly params: ListenRequest['params'];
  readonly uris: readonly string[];
  /** The same request for these resources. */
  readonly withUris: (uris: readonly string[]) => object;
}

const listenSchema = z.looseObject({
  method: z.literal(SUBSCRIPTION),
  id: z.union([z.string(), z.number()]),
  params: z.looseObject({ notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()).optional() }) }),
});

/** Takes a `subscriptions/listen` request apart; undefined for every other message, and for one that the SDK refuses. */
export function parseListen(message: unknown): ParsedListen | undefined {
  const parsed = listenSchema.safeParse(message);
  if (!parsed.success) return undefined;
  const { id, params } = parsed.data;
  const { notifications } = params;
  return {
    id,
    params,
    uris: notifications.resourceSubscriptions ?? [],
    withUris: (resourceSubscriptions) => ({
      ...parsed.data,
      params: { ...params, notifications: { ...notifications, resourceSubscriptions } },
    }),
  };
}
