import type pg from 'pg';
import { sqlStateOf } from './errors.ts';
import type { ServiceSchema } from './migrate.ts';
import { withClient } from './with-client.ts';

/** The role that statements run as where row-level security does not apply to the user of the database's address. */
export interface StatementRole {
  readonly schema: Pick<ServiceSchema, 'name' | 'lock'>;
  /** Its name, a constant of the program; nobody can log in with it. */
  readonly name: string;
  /** A table of the newest version: whoever may delete its rows was given all there is. */
  readonly newestTable: string;
}

/** Makes the role, where another database of the server has not made it already, and lets it use the tables. */
const toMakeRole = ({ schema, name }: StatementRole): string => `
DO $$ BEGIN
  CREATE ROLE ${name} NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
GRANT ${name} TO CURRENT_USER;
GRANT USAGE ON SCHEMA ${schema.name} TO ${name};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema.name} TO ${name};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema.name} TO ${name};`;

/**
 * Whether statements have to run as another role, since row-level security does not apply to this user: superusers, and
 * those who bypass it. The role is made where it is missing; `open` says that it could not be.
 */
export async function prepareRole(pool: pg.Pool, role: StatementRole): Promise<'own' | 'role' | 'open'> {
  const { schema, name, newestTable } = role;
  const { rows } = await pool.query<{ bypasses: boolean; isReady: boolean }>(
    `SELECT rolsuper OR rolbypassrls AS bypasses,
       coalesce(has_table_privilege(to_regrole('${name}')::oid, '${schema.name}.${newestTable}', 'DELETE')
       AND pg_has_role(current_user, to_regrole('${name}')::oid, 'MEMBER'), false) AS "isReady"
     FROM pg_roles WHERE rolname = current_user`,
  );
  const [user] = rows;
  if (user?.bypasses !== true) return 'own';
  if (user.isReady) return 'role';
  try {
    await withClient(pool, (client) =>
      client.query(`BEGIN; SELECT pg_advisory_xact_lock(${schema.lock}); ${toMakeRole(role)} COMMIT`),
    );
    return 'role';
  } catch (error) {
    if (sqlStateOf(error) === '42501') return 'open';
    throw error;
  }
}
