import type { Reach } from '../../domain/project.ts';
import type { Selection } from '../../domain/store.ts';
import type { Sql } from '../database.ts';

/** What a statement takes for {@link inReach}: null where all projects are within reach. */
export const toReached = ({ projects }: Reach): readonly string[] | null => projects ?? null;

/** The condition that a row's project is within reach; the owner is $1, and `reached` the number of {@link toReached}. */
export const inReach = (projectId: string, reached: number): string =>
  `($${reached}::text[] is null
    or ${projectId} in (select id from projects where owner_id = $1 and project_key = any($${reached}::text[])))`;

/** The projects of an owner that a selection is about; none for an unknown one. */
export async function findProjectIds(sql: Sql, selection: Selection): Promise<readonly string[]> {
  const { ownerId, project } = selection;
  const rows = await sql.query<{ id: string }>(
    `select id from projects
     where owner_id = $1 and ($2::text is null or project_key = $2 or ($3::boolean and project_name = $2))
       and ${inReach('id', 4)}`,
    [ownerId, project?.key ?? null, project?.isName ?? false, toReached(selection)],
  );
  return rows.map(({ id }) => id);
}
