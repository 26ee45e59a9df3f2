import { ContextloomError, isContextloomError } from '@contextloom/contracts';

/** The SQLSTATE of an error, or what a socket says; an empty text for any other. */
export const sqlStateOf = (error: unknown): string => String(Object(error).code ?? '');

/** Whether the database itself refused a statement, and lives on; not where it or the connection went away. */
export const isStatementRefused = (sqlState: string): boolean =>
  /^[0-9A-Z]{5}$/.test(sqlState) && !sqlState.startsWith('57');

/** The database went away before it said whether a transaction was kept. */
export class Unconfirmed extends Error {
  override readonly name = 'Unconfirmed';
}

/** SQLSTATE of a row that would be there twice. Source: PostgreSQL, Appendix A. */
export const UNIQUE_VIOLATION = '23505';

/** How errors speak of a database. */
export interface ErrorWords {
  /** The setting that has its address. */
  readonly setting?: string;
  /** How a person does without the schema, such as `set KB_STORE=embedded`. */
  readonly without?: string;
}

/** Says in words of ours what a database refused, by the class of its SQLSTATE; an unreachable one is never replaced. */
export function toDatabaseError(
  cause: unknown,
  schema: string,
  { setting = 'DATABASE_URL', without }: ErrorWords = {},
): ContextloomError {
  if (isContextloomError(cause)) return cause;
  if (cause instanceof Unconfirmed) {
    const message = `the database of ${setting} went away before it confirmed a change, which may be stored: look before it is made again`;
    return new ContextloomError('unavailable', message, { cause });
  }
  const code = sqlStateOf(cause);
  const to = (why: string): ContextloomError =>
    new ContextloomError('unavailable', `the database of ${setting} ${why}; nothing was stored`, { cause });
  if (code.startsWith('28') || code === '3D000') return to('refuses this user, password or name');
  if (code === '42501') {
    const grant = `grant it CREATE on the database, or have the schema's owner grant it its use`;
    const advice = [grant, ...(without === undefined ? [] : [without])].join('; or ');
    return to(`does not let this user make or use the schema ${schema}: ${advice}`);
  }
  if (code === '53100') return new ContextloomError('no_space', `the database of ${setting} is full`, { cause });
  if (code === '57014' || code === '55P03') return to('took too long, or waited too long for a lock');
  if (code === '25006') return to('is read-only; try again once it takes changes');
  return to(isStatementRefused(code) ? 'refused a statement' : 'cannot be reached');
}
