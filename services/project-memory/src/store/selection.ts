import type { Selection } from '../domain/store.ts';
import type { Sql } from './database.ts';

/** The projects of an owner that a selection is about; none for an unknown one. */
export async function findProjectIds(sql: Sql, { ownerId, project }: Selection): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from projects
     where owner_id = $1 and ($2::text is null or project_key = $2 or ($3::boolean and project_name = $2))`,
    [ownerId, project?.key ?? null, project?.isName ?? false],
  );
  return rows.map(({ id }) => id);
}
