import { type Pool, sqlStateOf } from '@contextloom/postgres';
import { documentSchema, MAKE_ROLE, ROLE, SCHEMA } from './schema.ts';

/**
 * Whether statements have to run as another role, since row-level security does not apply to this user: superusers, and
 * those who bypass it.
 */
export async function prepareRole(pool: Pool): Promise<'own' | 'role' | 'open'> {
  const { rows } = await pool.query<{ bypasses: boolean; isReady: boolean }>(
    `SELECT rolsuper OR rolbypassrls AS bypasses, coalesce(has_table_privilege(to_regrole('${ROLE}')::oid, '${SCHEMA}.next', 'DELETE')
       AND pg_has_role(current_user, to_regrole('${ROLE}')::oid, 'MEMBER'), false) AS "isReady"
     FROM pg_roles WHERE rolname = current_user`,
  );
  const [user] = rows;
  if (user?.bypasses !== true) return 'own';
  if (user.isReady) return 'role';
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${documentSchema.lock}); ${MAKE_ROLE} COMMIT`);
    return 'role';
  } catch (error) {
    await client.query('ROLLBACK');
    if (sqlStateOf(error) === '42501') return 'open';
    throw error;
  } finally {
    client.release();
  }
}
