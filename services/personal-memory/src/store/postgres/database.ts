import { type OwnedDatabase, openOwnedDatabase, toPostgresText } from '@contextloom/postgres';
import type { Log } from '@contextloom/runtime';
import type { Sql } from '../sql/sql.ts';
import { createPostgresSql, FIRST_END } from './postgres-sql.ts';
import { FIRST, memoryRole, memorySchema, USER } from './schema.ts';

/** Whose rows a transaction sees: one user's, or all. Whatever a statement says, the database shows it no others. */
export type Scope = { readonly user: string } | 'everyone';

/** One transaction of a process that derives its index by `own`. */
type Work<T> = (sql: Sql) => Promise<T>;

/** Memories in Postgres. */
export interface PostgresDatabase extends Pick<OwnedDatabase<Sql>, 'run' | 'isOpen' | 'close'> {
  /** Reads one state of the rows. */
  readonly read: <T>(scope: Scope, work: Work<T>) => Promise<T>;
  /** Changes rows, all or none; changes of one user come one after the other, in whichever process. */
  readonly write: <T>(scope: Scope, work: Work<T>) => Promise<T>;
  /** Works while no other process does the same, as long as the connection lasts. */
  readonly alone: (what: keyof typeof LOCKS, work: () => Promise<void>) => Promise<void>;
}

/** The advisory locks: of changes of one user, and of what one process does at a time. */
const OF_USER = 4_117_225;
const LOCKS = { index: 4_117_226, takeover: 4_117_227 } as const;
/** Has the changes of the user of a transaction come one after the other. */
const TURN = `SELECT pg_advisory_xact_lock(${OF_USER}, hashtext(current_setting('${USER}')));`;

const toScope = (scope: Scope): string => (scope === 'everyone' ? '*' : `u:${toPostgresText(scope.user)}`);

/** Where the memories are. */
export interface PostgresPlace {
  readonly url: string;
  readonly log: Log;
}

/**
 * Opens the memories of a Postgres database, in a schema of their own, which is made when missing.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openPostgresDatabase({ url, log }: PostgresPlace): Promise<PostgresDatabase> {
  const database = await openOwnedDatabase({
    url,
    application: 'contextloom-personal-memory',
    log,
    schema: memorySchema,
    first: FIRST,
    role: memoryRole,
    owners: USER,
    last: FIRST_END,
    without: 'set PERSONAL_MEMORY_STORE=embedded to keep the memories in PERSONAL_MEMORY_DATA_DIR',
    toSql: createPostgresSql,
  });
  return {
    ...database,
    read: async (scope, work) => database.read(toScope(scope), work),
    write: async (scope, work) => database.write(toScope(scope), scope === 'everyone' ? '' : TURN, work),
    alone: async (what, work) => {
      await database.alone(LOCKS[what], true, work);
    },
  };
}
