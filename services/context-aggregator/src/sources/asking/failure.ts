import { ContextloomError, type ErrorCode, type Failure as ReportedFailure } from '@contextloom/contracts';
import type { UpstreamFailure } from '@contextloom/mcp-client';
import type { Log } from '@contextloom/runtime';

/** Why a source gave nothing: a sentence of ours, never a foreign peer's words. */
export interface Failure {
  readonly kind: 'failed';
  readonly code: ErrorCode;
  /** To follow the name of the server; whole where one of our servers reported it. */
  readonly reason: string;
  /** What one of our servers reported. */
  readonly reported?: ReportedFailure | undefined;
}

/** Which server failed. */
export interface FailureContext {
  readonly server: string;
  readonly log: Log;
}

/** Longest part of a peer's answer that is logged, in UTF-16 code units. */
const MAX_LOGGED = 2_000;

/** Turns an upstream's failure into ours: what one of our servers reported is passed on, what others said goes to the log. */
export function toFailure(
  { kind, reason, failure, answer = '' }: UpstreamFailure,
  { server, log }: FailureContext,
): Failure {
  if (failure !== undefined) {
    const { code, message, field } = failure;
    log.warn({ server, kind, code, ...(field !== undefined && { field }) }, message);
    return { kind: 'failed', code, reason: message, reported: failure };
  }
  log.warn({ server, kind, answer: answer.slice(0, MAX_LOGGED) }, `${server} ${reason}`);
  return { kind: 'failed', code: kind === 'timeout' ? 'timeout' : 'unavailable', reason };
}

/** The same for a call about a user: a server that is set up for one user refuses the others by its argument. */
export function toUserFailure(failed: UpstreamFailure, context: FailureContext): Failure {
  const failure = toFailure(failed, context);
  const isOfAnother = failure.reported?.code === 'forbidden' && failure.reported.field === 'user_id';
  return isOfAnother ? { ...failure, reason: 'serves another user only' } : failure;
}

/** The failure of an answer that cannot be read. */
export function toUnreadable(answer: string, context: FailureContext): Failure {
  return toFailure({ kind: 'invalid', reason: 'answered in a form that cannot be read', answer }, context);
}

/** A failure that no answer tells of. */
export function createFailure(reason: string): Failure {
  return { kind: 'failed', code: 'unavailable', reason };
}

/** The error of a call that cannot go on without a server. */
export function toError(server: string, { code, reason, reported }: Failure): ContextloomError {
  if (reported === undefined) return new ContextloomError(code, `${server} ${reason}.`);
  return new ContextloomError(code, reason, reported.field === undefined ? {} : { field: reported.field });
}
