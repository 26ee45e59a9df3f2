import { type ContextloomError, type ErrorCode, isContextloomError } from '@contextloom/contracts';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Log } from './log.ts';

/** How a failed call looks to an MCP client: one line, no foreign text. */
export interface ToolFailure {
  readonly code: ErrorCode;
  readonly text: string;
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

/** Turns whatever a tool threw into what the client reads; causes and surprises go to the log. */
export function toToolFailure(error: unknown, tool: string, log: Log): ToolFailure {
  if (!isContextloomError(error)) {
    log.error({ tool, cause: error }, 'tool failed unexpectedly');
    return { code: 'internal', text: `${tool} failed inside the server; its log says why.` };
  }
  if (error.cause !== undefined && error.code !== 'invalid')
    log.warn({ tool, code: error.code, cause: error.cause }, error.message);
  return { code: error.code, text: toOneLine(error) };
}

function toOneLine(error: ContextloomError): string {
  return `${error.message}${advice[error.code]}`.replace(/\s*[\r\n]+\s*/g, ' ');
}

/** The same for a prompt or a resource, whose failures the protocol answers as errors; `name` is the prompt's, or the URI. */
export function toProtocolError(error: unknown, name: string, log: Log): ProtocolError {
  const { code, text } = toToolFailure(error, name, log);
  if (code === 'not_found') return new ResourceNotFoundError(name, text);
  return new ProtocolError(
    code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
    text,
  );
}
