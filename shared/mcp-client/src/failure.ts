import { isAbsolute } from 'node:path';
import { FAILURE_KEY, type Failure, failureSchema } from '@contextloom/contracts';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import { MissingScriptError } from './composition/entry-script.ts';
import { ConnectionsInUseError } from './connection-pool.ts';
import { LoginAwayError, LoginNeededError } from './login-needed.ts';
import { AnswerTooLargeError } from './transport/bounded-fetch.ts';

/** What kept a call to another server from being answered. */
export interface UpstreamFailure {
  readonly kind: 'tool_error' | 'timeout' | 'unavailable' | 'invalid';
  /** In our own words, to follow the name of the server: "did not answer within 100 ms". */
  readonly reason: string;
  /** What a server of ours tells of it, which may be passed on. */
  readonly failure?: Failure | undefined;
  /** The peer's own words, of a tool error: for the log, never for a caller. */
  readonly answer?: string | undefined;
  /** Whether the server wants a key, or another one than it was shown: HTTP 401. */
  readonly isUnauthorized?: boolean;
}

/** Whether the connection was open when something went wrong. */
export interface FailureContext {
  readonly isOpen: boolean;
}

/** What to say of the errors that the operating system or the network gives, by their code. */
const networkReasons: Readonly<Record<string, string>> = {
  ENOENT: 'cannot be started: there is no such program or folder (its "command" and "cwd")',
  EACCES: 'cannot be started: its program may not be run by this user',
  ECONNREFUSED: 'cannot be reached: nothing listens at its address',
  ENOTFOUND: 'cannot be reached: the host of its address is unknown',
  EAI_AGAIN: 'cannot be reached: the host of its address cannot be looked up now',
  EHOSTUNREACH: 'cannot be reached: there is no way to its address',
  ENETUNREACH: 'cannot be reached: there is no way to its address',
  ETIMEDOUT: 'cannot be reached: its address does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'cannot be reached: its address does not answer',
  ECONNRESET: 'broke the connection off',
  UND_ERR_SOCKET: 'broke the connection off',
  ANSWER_TOO_LARGE: 'answered with more than 64 MiB',
};

const MAX_CAUSES = 5;

/** The code of the error or of one underneath that we have words for. */
function findNetworkReason(thrown: unknown, depth = 0): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || depth > MAX_CAUSES) return undefined;
  const code = 'code' in thrown ? String(thrown.code) : '';
  return networkReasons[code] ?? findNetworkReason('cause' in thrown ? thrown.cause : undefined, depth + 1);
}

function toHttpReason(status: number | undefined): string {
  if (status === 401) return 'wants a key (HTTP 401): its "headers" hold none that it takes';
  if (status === 403) return 'refuses access (HTTP 403) to the key in its "headers", or under this name of its host';
  if (status === 404) return 'answered HTTP 404; check the path of its address';
  return status === undefined ? 'cannot be reached' : `answered HTTP ${status} instead of MCP`;
}

function toMissingReason(script: string): string {
  const where = isAbsolute(script) ? '' : " in its working folder, the composition's own unless it names another";
  return `cannot be started: there is no ${script}${where}`;
}

function toLoginReason({ account: { server, user } }: LoginNeededError): string {
  const whose = user === undefined ? '' : ` --user ${user}`;
  return `wants a new login: contextloom servers login ${server}${whose}`;
}

function unavailable(reason: string): UpstreamFailure {
  return { kind: 'unavailable', reason };
}

/** Reads what a server of ours tells of a failure; `undefined` for anybody else's. */
export function parseReportedFailure(holder: unknown): Failure | undefined {
  if (typeof holder !== 'object' || holder === null || !(FAILURE_KEY in holder)) return undefined;
  return failureSchema.safeParse(holder[FAILURE_KEY]).data;
}

/** Thrown in place of asking a server that failed several times in a row; its cause is the last failure. */
export class CircuitOpenError extends Error {
  readonly isOpen: boolean;

  constructor(cause: unknown, { isOpen }: FailureContext) {
    super('the server is not asked for a while', { cause });
    this.isOpen = isOpen;
  }
}

/** Whether an error says that what came is JSON and no message: the SDK checks messages with zod. */
const isNoMessage = (thrown: unknown): boolean =>
  Object(thrown).name === 'ZodError' || Object(thrown).name === '$ZodError';

/** Whether an error says that the server cannot be used now; whatever it answers, a refusal too, says that it can. */
export function isOutage(thrown: unknown): boolean {
  if (thrown instanceof ProtocolError || thrown instanceof UnauthorizedError) return false;
  if (thrown instanceof AnswerTooLargeError || thrown instanceof LoginNeededError) return false;
  if (thrown instanceof LoginAwayError) return false;
  if (thrown instanceof ConnectionsInUseError) return false;
  if (thrown instanceof SdkHttpError) return thrown.status >= 500;
  if (isNoMessage(thrown)) return false;
  return !(thrown instanceof SdkError && thrown.code === SdkErrorCode.InvalidResult);
}

/** Says what a server did that made a call fail. Foreign words stay in the log: what a caller reads is a sentence of ours. */
export function toFailure(thrown: unknown, { isOpen }: FailureContext): UpstreamFailure {
  if (thrown instanceof ProtocolError) {
    const failure = parseReportedFailure(thrown.data);
    if (isOpen) return { kind: 'invalid', reason: 'refused the request', failure };
    return { kind: 'unavailable', reason: 'refused the MCP handshake', failure };
  }
  if (thrown instanceof CircuitOpenError) {
    const { reason } = toFailure(thrown.cause, thrown);
    return unavailable(`failed several times in a row (it ${reason}) and is asked again in a moment`);
  }
  if (thrown instanceof ConnectionsInUseError)
    return unavailable(`cannot be reached now: all ${thrown.limit} connections are in use`);
  if (thrown instanceof MissingScriptError) return unavailable(toMissingReason(thrown.script));
  if (thrown instanceof LoginNeededError) return { ...unavailable(toLoginReason(thrown)), isUnauthorized: true };
  if (thrown instanceof LoginAwayError)
    return unavailable('cannot be reached now: its authorization server does not renew the login; try again');
  const status = thrown instanceof UnauthorizedError ? 401 : thrown instanceof SdkHttpError && thrown.status;
  if (status === 401) return { ...unavailable(toHttpReason(401)), isUnauthorized: true };
  if (thrown instanceof SdkHttpError) return unavailable(toHttpReason(thrown.status));
  if (isNoMessage(thrown) || (thrown instanceof SdkError && thrown.code === SdkErrorCode.InvalidResult))
    return { kind: 'invalid', reason: 'answered something that is not a result' };
  if (Object(thrown).name === 'SyntaxError') return { kind: 'invalid', reason: 'answered something that is not JSON' };
  const reason = findNetworkReason(thrown);
  if (reason !== undefined) return unavailable(reason);
  if (isOpen) return unavailable('broke off');
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.ConnectionClosed)
    return unavailable('ended before the MCP handshake; its log says why');
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout)
    return { kind: 'timeout', reason: 'did not finish the MCP handshake' };
  return unavailable('cannot be started or reached');
}
