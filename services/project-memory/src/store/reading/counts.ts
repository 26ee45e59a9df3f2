import type { OtherOwners, OwnerCounts } from '../../domain/store.ts';
import type { Sql } from '../database.ts';

/** How many groups of memories are counted separately. */
const MOST_GROUPS = 1_000;

const TOTALS = `
  select (select count(*) from projects where owner_id = $1) as projects,
         (select count(*) from fragments where owner_id = $1) as fragments,
         (select count(*) from memories where owner_id = $1 and content <> '' and not embedding_done) as pending,
         (select count(*) from memory_versions where owner_id = $1) as versions,
         (select count(*) from memory_links where owner_id = $1) as links`;

const BY_PROJECT = `
  select p.project_key as "projectKey", m.content_type as "contentType", count(*) as count
  from memories m join projects p on p.id = m.project_id and p.owner_id = m.owner_id
  where m.owner_id = $1 and m.content <> '' group by p.project_key, m.content_type
  order by count desc, p.project_key, m.content_type limit $2`;

const BY_ACTION = `
  select action, count(*) as count from memory_arbitrations where owner_id = $1 group by action order by action`;

/** Counts what the database keeps for everybody else. */
export async function readOthers(sql: Sql, ownerId: string): Promise<OtherOwners> {
  const text = `select count(*) as memories, count(distinct owner_id) as owners
    from memories where owner_id <> $1 and content <> ''`;
  const [others] = await sql.query<OtherOwners>(text, [ownerId]);
  return others ?? { memories: 0, owners: 0 };
}

/** Counts the rows of one owner. */
export async function readCounts(sql: Sql, ownerId: string): Promise<OwnerCounts> {
  const [totals] = await sql.query<Omit<OwnerCounts, 'memories' | 'arbitrations'>>(TOTALS, [ownerId]);
  return {
    projects: 0,
    fragments: 0,
    pending: 0,
    versions: 0,
    links: 0,
    ...totals,
    memories: await sql.query<OwnerCounts['memories'][number]>(BY_PROJECT, [ownerId, MOST_GROUPS]),
    arbitrations: await sql.query<OwnerCounts['arbitrations'][number]>(BY_ACTION, [ownerId]),
  };
}
