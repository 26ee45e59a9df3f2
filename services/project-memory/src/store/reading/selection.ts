import type { Reach } from '../../domain/project.ts';
import type { Selection } from '../../domain/store.ts';
import type { Dialect, ProjectId, Sql } from '../database.ts';

/** What a statement takes for {@link inReach}: null where all projects are within reach. */
export const toReached = ({ projects }: Reach): readonly string[] | null => projects ?? null;

/** Whether a list was left out. */
export const isNull = (n: number): string => `cast($${n} as text) is null`;

/** The condition that a row's project is within reach; the owner is $1, and `reached` the number of {@link toReached}. */
export const inReach = ({ oneOf }: Dialect, projectId: string, reached: number): string =>
  `(${isNull(reached)} or ${projectId} in (select id from projects where owner_id = $1 and ${oneOf('project_key', reached)}))`;

/** The projects of an owner that a selection is about; none for an unknown one. */
export async function findProjectIds(sql: Sql, selection: Selection): Promise<readonly ProjectId[]> {
  const { ownerId, project } = selection;
  const rows = await sql.query<{ id: ProjectId }>(
    `select id from projects
     where owner_id = $1 and (cast($2 as text) is null or project_key = $2 or (cast($3 as boolean) and project_name = $2))
       and ${inReach(sql.dialect, 'id', 4)}`,
    [ownerId, project?.key ?? null, project?.isName ?? false, toReached(selection)],
  );
  return rows.map(({ id }) => id);
}
