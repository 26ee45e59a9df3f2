import { ContextloomError, type ErrorCode, errorCodes, FAILURE_KEY } from '@contextloom/contracts/errors';
import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

/** Thrown where no connection came about, so that nothing of the call was sent. */
export class NotConnectedError extends Error {}

/** Thrown for a tool that answered an error. */
export class ToolError extends Error {
  readonly failure: ContextloomError;

  constructor(failure: ContextloomError) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The codes of Node's network errors with which a request did not reach a server. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const MAX_CAUSES = 5;

function findCode(thrown: unknown, isSought: (code: string) => boolean, depth = 0): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || depth > MAX_CAUSES) return undefined;
  if ('code' in thrown && typeof thrown.code === 'string' && isSought(thrown.code)) return thrown.code;
  return 'cause' in thrown ? findCode(thrown.cause, isSought, depth + 1) : undefined;
}

const isErrorCode = (code: unknown): code is ErrorCode => errorCodes.some((known) => known === code);

/** Reads what a first-party server tells of a failure: an error's `data`, or a result's `_meta`. */
export function readFailure(holder: unknown): ContextloomError | undefined {
  if (typeof holder !== 'object' || holder === null || !(FAILURE_KEY in holder)) return undefined;
  const { code, message, field } = Object(holder[FAILURE_KEY]) as Record<string, unknown>;
  if (!isErrorCode(code) || typeof message !== 'string') return undefined;
  return new ContextloomError(code, message, typeof field === 'string' ? { field } : {});
}

/** What a status says, where another program than ours answers. */
const statuses: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  401: ['unauthorized', 'the server wants a key, or another than it was shown'],
  403: ['forbidden', 'the server refuses access to this key, or under this name of its host'],
  404: ['unavailable', 'the server answers HTTP 404: check the path of the url'],
  413: ['too_large', 'the call is larger than the server takes'],
  429: ['rate_limited', 'the server takes no more calls now; try again later'],
};

function fromStatus(status: number): readonly [ErrorCode, string] {
  return statuses[status] ?? ['unavailable', `the server answers HTTP ${status} instead of MCP`];
}

function fromProtocol({ code }: ProtocolError): readonly [ErrorCode, string] {
  if (code === ProtocolErrorCode.InternalError) return ['internal', 'the call failed inside the server'];
  if (code === ProtocolErrorCode.ResourceNotFound) return ['not_found', 'the server has nothing of this name'];
  return ['invalid', 'the server knows no such tool, or does not take these arguments'];
}

function describe(thrown: unknown): readonly [ErrorCode, string] {
  if (thrown instanceof UnauthorizedError) return fromStatus(401);
  if (thrown instanceof SdkHttpError) return fromStatus(thrown.status);
  if (thrown instanceof ProtocolError) return fromProtocol(thrown);
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout)
    return ['timeout', 'no answer in time'];
  if (findCode(thrown, (code) => code === 'ENOENT' || code === 'EACCES') !== undefined) {
    return ['unavailable', 'the command cannot be started: check "command" and "cwd"'];
  }
  if (isUnreached(thrown)) return ['unavailable', 'the server cannot be reached: check the url, and whether it runs'];
  return ['unavailable', 'the connection to the server was lost'];
}

/** The error that a caller gets for whatever made a call fail; foreign words stay in its `cause`. */
export function toError(thrown: unknown): ContextloomError {
  if (thrown instanceof ContextloomError) return thrown;
  if (thrown instanceof ToolError) return thrown.failure;
  if (thrown instanceof NotConnectedError) return toError(thrown.cause);
  const reported = thrown instanceof ProtocolError ? readFailure(thrown.data) : undefined;
  if (reported !== undefined) return reported;
  const [code, message] = describe(thrown);
  return new ContextloomError(code, message, { cause: thrown });
}

const isUnreached = (thrown: unknown): boolean => findCode(thrown, (code) => UNREACHED.has(code)) !== undefined;

/** Whether a session has ended, which a server that was started again says of all that it had before. */
export const isSessionGone = (thrown: unknown): boolean => thrown instanceof SdkHttpError && thrown.status === 404;

/**
 * Whether a call may be made again after an error: any call that did not begin, and after a broken connection one that changes
 * nothing more when it comes twice. What a server refuses stays refused.
 */
export function mayRepeat(thrown: unknown, { isIdempotent }: { readonly isIdempotent: boolean }): boolean {
  const error = toError(thrown);
  if (error.code === 'rate_limited') return true;
  if (error.code !== 'unavailable' || thrown instanceof ToolError) return false;
  if (thrown instanceof NotConnectedError) return !isHopeless(thrown.cause);
  return isUnreached(thrown) || isSessionGone(thrown) || isIdempotent;
}

/** What no repetition mends: a program that is not there, an endpoint that is not MCP's. */
function isHopeless(thrown: unknown): boolean {
  if (thrown instanceof SdkHttpError) return thrown.status < 500;
  return findCode(thrown, (code) => code === 'ENOENT' || code === 'EACCES') !== undefined;
}
