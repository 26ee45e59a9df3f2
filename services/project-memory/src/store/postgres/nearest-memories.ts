import type { Related } from '../../domain/links.ts';
import type { Reach } from '../../domain/project.ts';
import type { Candidate, IngestChange } from '../../domain/store.ts';
import type { ProjectId, Sql, SqlDatabase } from '../database.ts';
import { inReach, toReached } from '../reading/selection.ts';
import { postgresDialect } from './values.ts';
import {
  enableIterativeScan,
  toDistance,
  toIndexedDistance,
  usesExactScan,
  type VectorSearch,
} from './vector-search.ts';

/** How many memories are offered as candidates, at the most. */
const CANDIDATES = 3;
/** The index knows vectors in half precision: of so many for each that is wanted, the nearest are chosen exactly. */
const PER_WANTED = 4;

/** Ties have a fixed order: newest first, then by the hash of the text. */
const TIES = 'm.ts desc, m.created_at desc, m.content_hash';

/** The memories to compare with a vector: all that a condition selects, or those that the index takes for the nearest. */
function toNear(search: VectorSearch, isExact: boolean, { where, vector, limit }: NearSource): string {
  const all = `select * from memories where owner_id = $1 and avg_embedding is not null and ${where}`;
  if (isExact) return `(${all}) m`;
  return `(${all} order by ${toIndexedDistance(search, 'avg_embedding', vector)} limit ${PER_WANTED} * ${limit}) m`;
}

interface NearSource {
  readonly where: string;
  readonly vector: string;
  readonly limit: string;
}

/** The memories of a project that are nearest to a new one, as far as they are near enough; inside a transaction. */
export async function findNearest(
  sql: Sql,
  search: VectorSearch,
  { project: { ownerId }, content: { embedding }, threshold }: IngestChange,
  projectId: ProjectId,
): Promise<readonly Candidate[]> {
  if (embedding === undefined) return [];
  const vector = '$3::real[]';
  const find = (isExact: boolean) =>
    sql.query<Candidate>(
      `select m.id, m.revision, m.content_type as "contentType", m.summary,
              1 - ${toDistance(search, 'm.avg_embedding', vector)} as similarity
       from ${toNear(search, isExact, { where: 'project_id = $2', vector, limit: '$4::int' })}
       order by similarity desc, ${TIES} limit $4::int`,
      [ownerId, projectId, embedding, CANDIDATES],
    );
  let rows: readonly Candidate[] = [];
  if (!(await usesExactScan(sql, search, 'memories', ownerId, [projectId]))) {
    await enableIterativeScan(sql, 'strict_order');
    rows = await find(false);
  }
  if (rows.length === 0) rows = await find(true);
  return rows.filter(({ similarity }) => similarity >= threshold);
}

const similarText = (search: VectorSearch, isExact: boolean): string => {
  const where = 'project_id = a.project_id and id <> a.id';
  return `
  select a.id as "ofId", n.id, 'similar' as relation, 'none' as direction, n.content_type as "contentType", n.summary
  from memories a cross join lateral (
    select m.*, ${toDistance(search, 'm.avg_embedding', 'a.avg_embedding')} as distance
    from ${toNear(search, isExact, { where, vector: 'a.avg_embedding', limit: '$4::int' })}
    order by distance, ${TIES} limit $4::int
  ) n
  where a.owner_id = $1 and a.id = any($2::text[]) and n.distance <= 1 - $3::float8
    and ${inReach(postgresDialect, 'a.project_id', 5)}
  order by n.distance, n.ts desc, n.created_at desc, n.content_hash`;
};

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
    return database.query<Related>(similarText(search, true), parameters);
  }
  return database.transaction(async (sql) => {
    await enableIterativeScan(sql, 'strict_order');
    return sql.query<Related>(similarText(search, false), parameters);
  });
}
