import { ContextloomError } from '@contextloom/contracts';
import { createMcpHandler, type McpHandlerRequestOptions, type McpHttpHandler } from '@modelcontextprotocol/server';
import { parseListen } from '../server/listening.ts';
import type { ServerFactory } from '../server/server-factory.ts';
import { onBodyEnd } from './body-end.ts';

/** Most clients that listen at once: as many as the SDK allows at one endpoint. */
const MAX_LISTENERS = 1_024;

/** The clients of 2026-07-28 that listen for changes which belong to them alone. */
export interface Listeners {
  /** Answers a request to listen; undefined for any other request, and where all clients hear the same. */
  readonly fetch: (request: Request, options: McpHandlerRequestOptions) => Promise<Response> | undefined;
  readonly close: () => Promise<void>;
}

/** Serves each listener from a bus of its own: the SDK's endpoint has one for all of its clients. */
export function createListeners(factory: ServerFactory, onerror: (cause: Error) => void): Listeners {
  const open = new Set<McpHttpHandler>();
  return {
    fetch: (request, options) => {
      const { authInfo, parsedBody } = options;
      const { listen: begin } = factory;
      const listen = begin && parseListen(parsedBody);
      if (begin === undefined || listen === undefined) return undefined;
      if (open.size >= MAX_LISTENERS)
        return Promise.reject(
          new ContextloomError('rate_limited', `at most ${MAX_LISTENERS} clients can listen at once`),
        );
      const serve = async (): Promise<Response> => {
        const { params } = listen;
        const { uris, bus, end } = await begin({ authInfo, params, uris: listen.uris, transport: 'http' });
        const handler = createMcpHandler(factory, { legacy: 'reject', onerror, bus });
        open.add(handler);
        const close = (): void => {
          open.delete(handler);
          end();
        };
        try {
          return onBodyEnd(await handler.fetch(request, { ...options, parsedBody: listen.withUris(uris) }), close);
        } catch (error) {
          close();
          throw error;
        }
      };
      return serve();
    },
    close: async () => {
      await Promise.all([...open].map((handler) => handler.close()));
    },
  };
}
