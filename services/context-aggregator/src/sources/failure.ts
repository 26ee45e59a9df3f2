import { ContextloomError } from '@contextloom/contracts';
import type { Log, UpstreamResult } from '@contextloom/mcp-kit';

/** Why a source gave nothing: a sentence of ours, never the peer's words. */
export interface Failure {
  readonly kind: 'failed';
  readonly code: 'unavailable' | 'timeout';
  readonly reason: string;
}

/** Which server failed, and how long it was given, in milliseconds. */
export interface FailureContext {
  readonly server: string;
  readonly deadlineMs: number;
  readonly log: Log;
}

type FailedResult = Exclude<UpstreamResult<unknown>, { readonly kind: 'ok' }>;

/** Longest part of a peer's answer that is logged, in UTF-16 code units. */
const MAX_LOGGED = 2_000;

const reasons: Readonly<Record<FailedResult['kind'], (deadlineMs: number) => string>> = {
  timeout: (deadlineMs) => `did not answer within ${deadlineMs} ms`,
  unavailable: () => 'could not be started or reached, or broke off',
  tool_error: () => 'answered with an error',
  invalid: () => 'refused the call, or answered in a form that cannot be read',
};

/** Turns an upstream's failure into ours; what the peer said goes to the log. */
export function toFailure({ kind, message }: FailedResult, { server, deadlineMs, log }: FailureContext): Failure {
  // Why a connection failed or broke was logged where it happened.
  if (kind !== 'unavailable') log.warn({ server, kind, answer: message.slice(0, MAX_LOGGED) }, 'a server failed');
  return { kind: 'failed', code: kind === 'timeout' ? 'timeout' : 'unavailable', reason: reasons[kind](deadlineMs) };
}

/** A failure that no answer tells of. */
export function createFailure(reason: string): Failure {
  return { kind: 'failed', code: 'unavailable', reason };
}

/** The error of a call that cannot go on without a server. */
export function toError(server: string, { code, reason }: Failure): ContextloomError {
  return new ContextloomError(code, `${server} ${reason}.`);
}
