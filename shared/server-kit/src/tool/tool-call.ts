import type { Principal } from '@contextloom/access';
import { narrowBy, PRINCIPAL_KEY, principalOf } from '@contextloom/access';
import type { Log } from '@contextloom/runtime';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { ToolCall } from './tool.ts';

/** Who sends a request: its connection's principal, where the request brings none, within what the request itself says. */
export function toCaller({ mcpReq, http }: Pick<ServerContext, 'mcpReq' | 'http'>, principal: Principal): Principal {
  const caller = principalOf(http?.authInfo) ?? principal;
  // A first-party server says for whom it calls; it can only take rights away from what it may do itself.
  const limit = mcpReq._meta?.[PRINCIPAL_KEY];
  return limit === undefined ? caller : narrowBy(caller, limit, ['_meta', PRINCIPAL_KEY]);
}

/** Shows a protocol request to the function that answers it; `principal` is its connection's, where the request brings none. */
export function toToolCall(request: ServerContext, log: Log, principal: Principal): ToolCall {
  const { mcpReq } = request;
  const progressToken = mcpReq._meta?.progressToken;
  return {
    principal: toCaller(request, principal),
    signal: mcpReq.signal,
    reportProgress: (progress, total, message) => {
      if (progressToken === undefined) return;
      const params = {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      mcpReq.notify({ method: 'notifications/progress', params }).catch((cause: unknown) => {
        log.debug({ cause }, 'progress could not be sent');
      });
    },
  };
}
