import type { ServerContext } from '@modelcontextprotocol/server';
import type { Log } from './log.ts';
import type { ToolCall } from './tool.ts';

/** Shows a protocol request to the function that answers it. */
export function toToolCall({ mcpReq }: ServerContext, log: Log): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  return {
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
