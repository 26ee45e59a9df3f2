import type { Related } from '../../domain/links.ts';
import type { Reach } from '../../domain/project.ts';
import type { Candidate, IngestChange } from '../../domain/store.ts';
import type { ProjectId, Sql, SqlDatabase } from '../database.ts';
import { inReach, toReached } from '../reading/selection.ts';
import { postgresDialect } from './values.ts';
import { enableIterativeScan, usesExactScan, type VectorSearch } from './vector-search.ts';

/** `+ 0` keeps the planner from the index over the memories of all projects, which would miss some. */
const toExact = (distance: string): string => `(${distance}) + 0`;

/** How many memories are offered as candidates, at the most. */
const CANDIDATES = 3;

/** Ties have a fixed order: newest first, then by the hash of the text. */
const TIES = 'm.ts desc, m.created_at desc, m.content_hash';

/** The memories of a project that are nearest to a new one, as far as they are near enough; inside a transaction. */
export async function findNearest(
  sql: Sql,
  search: VectorSearch,
  { project: { ownerId }, content: { embedding }, threshold }: IngestChange,
  projectId: ProjectId,
): Promise<readonly Candidate[]> {
  if (embedding === undefined) return [];
  const distance = `m.avg_embedding <=> $3::${search.vector.type}`;
  const find = (order: string) =>
    sql.query<Candidate>(
      `select m.id, m.revision, m.content_type as "contentType", m.summary, 1 - (${distance}) as similarity
       from memories m
       where m.owner_id = $1 and m.project_id = $2 and m.avg_embedding is not null
       order by ${order} limit $4`,
      [ownerId, projectId, embedding, CANDIDATES],
    );
  let rows: readonly Candidate[] = [];
  if (!(await usesExactScan(sql, search, 'memories', ownerId, [projectId]))) {
    await enableIterativeScan(sql, 'strict_order');
    rows = await find(distance);
  }
  if (rows.length === 0) rows = await find(`${toExact(distance)}, ${TIES}`);
  return rows.filter(({ similarity }) => similarity >= threshold);
}

const similarText = (order: string): string => `
  select a.id as "ofId", n.id, 'similar' as relation, 'none' as direction, n.content_type as "contentType", n.summary
  from memories a cross join lateral (
    select m.id, m.content_type, m.summary, m.ts, m.created_at, m.content_hash, m.avg_embedding <=> a.avg_embedding as distance
    from memories m
    where m.owner_id = $1 and m.project_id = a.project_id and m.id <> a.id and m.avg_embedding is not null
    order by ${order} limit $4
  ) n
  where a.owner_id = $1 and a.id = any($2::text[]) and n.distance <= 1 - $3::float8
    and ${inReach(postgresDialect, 'a.project_id', 5)}
  order by n.distance, n.ts desc, n.created_at desc, n.content_hash`;

const DISTANCE = 'm.avg_embedding <=> a.avg_embedding';

/** The nearest memories of each one's project. */
export async function readSimilar(
  database: SqlDatabase,
  search: VectorSearch,
  reach: Reach,
  ids: readonly string[],
  least: number,
  limit: number,
): Promise<readonly Related[]> {
  const { ownerId } = reach;
  const parameters = [ownerId, ids, least, limit, toReached(reach)];
  const projects = await database.query<{ id: ProjectId }>(
    'select distinct project_id as id from memories where owner_id = $1 and id = any($2::text[])',
    [ownerId, ids],
  );
  const projectIds = projects.map(({ id }) => id);
  if (await usesExactScan(database, search, 'memories', ownerId, projectIds)) {
    return database.query<Related>(similarText(`${toExact(DISTANCE)}, ${TIES}`), parameters);
  }
  return database.transaction(async (sql) => {
    await enableIterativeScan(sql, 'strict_order');
    return sql.query<Related>(similarText(DISTANCE), parameters);
  });
}
