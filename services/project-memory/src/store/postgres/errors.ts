import { ContextloomError, isContextloomError } from '@contextloom/contracts';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** SQLSTATE classes 08 (connection), 53 (resources) and 57P (shutdown), and what sockets say. Source: PostgreSQL, Appendix A. */
const OUT_OF_REACH = /^(?:08|53|57P|E(?:CONN|HOST|NET|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN))/;
/** `query_canceled`, which a statement timeout is too, and `lock_not_available`. */
const TOO_LONG = /^(?:57014|55P03)$/;
const REFUSED = /^(?:28|3D000)/;

/** The product's error for what an engine threw; `place` names the setting that says where the database is. */
export function toStoreError(cause: unknown, place: string): ContextloomError {
  if (isContextloomError(cause)) return cause;
  const code = codeOf(cause);
  if (code === '53100' || code === 'ENOSPC') {
    return new ContextloomError('no_space', 'the disk of the database is full', { cause });
  }
  if (REFUSED.test(code)) {
    return new ContextloomError('unavailable', `the database of ${place} does not let the server in`, { cause });
  }
  if (TOO_LONG.test(code)) {
    return new ContextloomError('timeout', `the database of ${place} took too long, or waited too long for a lock`, {
      cause,
    });
  }
  if (code === '25006') {
    return new ContextloomError(
      'unavailable',
      `the database of ${place} is read-only; try again once it takes changes`,
      { cause },
    );
  }
  const isTerminated = cause instanceof Error && /Connection terminated|timeout exceeded when/.test(cause.message);
  if (OUT_OF_REACH.test(code) || isTerminated) {
    return new ContextloomError('unavailable', `the database of ${place} cannot be reached`, { cause });
  }
  return new ContextloomError('internal', 'the database refused a statement; the log says why', { cause });
}

/** Runs work and turns what it throws into the product's errors. */
export async function withStoreErrors<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error, place);
  }
}
