import type { RequestListener } from 'node:http';
import { type Admit, noteAdmission } from '@contextloom/access';
import type { Log } from '@contextloom/runtime';
import type { createAddressCheck } from './app.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';

/** What every answer says: it is one caller's own, and what its type says it is. */
export const SAFE_HEADERS = { 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' };

/** What stands in front of an application. */
export interface FrontOptions {
  /** By path. */
  readonly endpoints: ReadonlyMap<string, McpEndpoint>;
  /** Why an address is not served here. */
  readonly check: ReturnType<typeof createAddressCheck>;
  readonly admit: Admit;
  readonly log: Log;
}

/**
 * Answers calls in sessions before express, which costs half a millisecond of each. They pass the same checks, and whatever is
 * refused, or is no such call, is express's to answer.
 */
export function createFront(app: RequestListener, { endpoints, check, admit, log }: FrontOptions): RequestListener {
  return (request, response) => {
    const endpoint = endpoints.get(request.url ?? '');
    if (endpoint?.knows(request) !== true || check(request) !== undefined) return void app(request, response);
    const admitted = admit(request, response);
    noteAdmission(response, admitted);
    admitted
      .then(
        (admission) => {
          response.setHeaders(new Map(Object.entries(SAFE_HEADERS)));
          return endpoint.serve(request, response, admission);
        },
        () => void app(request, response),
      )
      .catch((cause: unknown) => {
        log.error({ cause }, 'a request failed');
        response.destroy();
      });
  };
}
