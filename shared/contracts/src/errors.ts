/**
 * Every way a call can fail, across all servers. Each code has one row in the MCP table (`server-kit`) and one in the HTTP
 * table (`server-kit/http`).
 */
export const errorCodes = [
  'malformed',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'precondition_failed',
  'too_large',
  'unsupported_media_type',
  'invalid',
  'rate_limited',
  'timeout',
  'unavailable',
  'no_space',
  'internal',
] as const;

/** One of {@link errorCodes}. */
export type ErrorCode = (typeof errorCodes)[number];

/** What an error may carry besides its message. */
export interface ContextloomErrorOptions {
  /** The input that is wrong, as a path such as `metadata_filter.age.$gte`. */
  readonly field?: string;
  /** The error underneath: logged, never shown to a caller. */
  readonly cause?: unknown;
}

/**
 * The one error class of the product. `message` is written for the caller and says what is wrong and what to do; foreign
 * text (of a database, a provider, a peer) belongs in `cause`.
 */
export class ContextloomError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;

  constructor(code: ErrorCode, message: string, options: ContextloomErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ContextloomError';
    this.code = code;
    this.field = options.field;
  }
}

/** Narrows an unknown thrown value to a {@link ContextloomError}. */
export function isContextloomError(value: unknown): value is ContextloomError {
  return value instanceof ContextloomError;
}

/** Key of a tool's `_meta` under which a server names the parameters that it is bound to, and that its schema leaves out. */
export const BOUND_KEY = 'contextloom/bound';

/** Where an MCP tool result or error keeps a failure: the key in `_meta`, or in the `data` of a JSON-RPC error. */
export const FAILURE_KEY = 'contextloom/failure';
