import type { Principal } from '@contextloom/access';
import { narrowBy, PRINCIPAL_KEY, principalOf } from '@contextloom/access';
import {
  CALL_KEY,
  readSamplingResult,
  type Sample,
  toSamplingFailure,
  toSamplingParams,
} from '@contextloom/mcp-client';
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

/** How long a client may take to answer what its model is asked, in milliseconds: a person may have to allow it. */
const SAMPLING_MS = 120_000;

/** Asks the client of a request; a connection that many callers share is told in which call. */
function toSample({ mcpReq }: ServerContext): Sample {
  const call = mcpReq._meta?.[CALL_KEY];
  const meta = typeof call === 'string' ? { _meta: { [CALL_KEY]: call } } : {};
  return async (question, signal) => {
    const options = { signal: AbortSignal.any([signal, mcpReq.signal]), timeout: SAMPLING_MS };
    const result = await mcpReq
      .requestSampling({ ...toSamplingParams(question), ...meta }, options)
      .catch((cause: unknown) => {
        throw toSamplingFailure(cause);
      });
    return readSamplingResult(result);
  };
}

/** What is known of a request besides what it says. */
interface ToolCallOptions {
  /** That of its connection, where the request brings none. */
  readonly principal: Principal;
  readonly log: Log;
  /** Whether its client has said that its model can be asked. */
  readonly hasModel: boolean;
}

/** Shows a protocol request to the function that answers it. */
export function toToolCall(request: ServerContext, options: ToolCallOptions): ToolCall {
  const { mcpReq } = request;
  const { principal, log, hasModel } = options;
  const progressToken = mcpReq._meta?.progressToken;
  return {
    principal: toCaller(request, principal),
    signal: mcpReq.signal,
    ...(hasModel && { sample: toSample(request) }),
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
