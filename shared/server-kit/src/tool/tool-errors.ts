import {
  ContextloomError,
  type ErrorCode,
  FAILURE_KEY,
  type Failure,
  isContextloomError,
  toReportedFailure,
} from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';

/** How a failed call looks to an MCP client: one line, no foreign text; and the same in parts, for a program. */
export interface ToolFailure {
  readonly text: string;
  readonly failure: Failure;
}

/** What each code adds for a reader who does not know the product: total over all codes. */
const advice: Readonly<Record<ErrorCode, string>> = {
  malformed: '',
  unauthorized: '',
  forbidden: '',
  not_found: '',
  conflict: '',
  precondition_failed: ' Read it again and repeat the change.',
  too_large: '',
  unsupported_media_type: '',
  invalid: '',
  rate_limited: ' Try again later.',
  timeout: ' Try again.',
  unavailable: '',
  no_space: ' Free some disk space and try again.',
  internal: '',
};

/** Failures that the caller cannot fix; the operator of the server needs to see them. */
const troubles: ReadonlySet<ErrorCode> = new Set(['timeout', 'unavailable', 'no_space', 'internal']);

/** Turns whatever a tool threw into what the client reads; the log has the same words, causes and surprises. */
export function toToolFailure(thrown: unknown, tool: string, log: Log): ToolFailure {
  const error = isContextloomError(thrown) ? thrown : toInternal(thrown, tool);
  const failure = toReportedFailure(error);
  const { code, field } = failure;
  // The message already says what the caller did wrong; the cause comes from the parser and quotes the request.
  const cause = code === 'invalid' || code === 'malformed' ? undefined : error.cause;
  const fields = { tool, code, ...(field !== undefined && { field }), ...(cause !== undefined && { cause }) };
  if (code === 'internal') log.error(fields, failure.message);
  else if (troubles.has(code) || cause !== undefined) log.warn(fields, failure.message);
  else log.info(fields, failure.message);
  return { text: `${failure.message}${advice[code]}`, failure };
}

function toInternal(cause: unknown, tool: string): ContextloomError {
  return new ContextloomError('internal', `${tool} failed inside the server; its log says why.`, { cause });
}

/**
 * The result of a failed call. Its parts stand in `_meta`: clients of the 1.x SDK check the structured content of errors, too,
 * by the schema of the tool's answer.
 */
export function toErrorResult(thrown: unknown, tool: string, log: Log) {
  const { text, failure } = toToolFailure(thrown, tool, log);
  return { content: [{ type: 'text' as const, text }], isError: true, _meta: { [FAILURE_KEY]: failure } };
}

/** The same for a prompt or a resource, whose failures the protocol answers as errors; `name` is the prompt's, or the URI. */
export function toProtocolError(thrown: unknown, name: string, log: Log): ProtocolError {
  const { text, failure } = toToolFailure(thrown, name, log);
  if (failure.code === 'not_found') return new ResourceNotFoundError(name, text);
  const { InternalError, InvalidParams } = ProtocolErrorCode;
  return new ProtocolError(failure.code === 'internal' ? InternalError : InvalidParams, text, {
    [FAILURE_KEY]: failure,
  });
}
