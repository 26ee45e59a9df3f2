import { withoutNulls } from '@contextloom/contracts';
import type { Memory, Project } from '../../domain/memory.ts';
import type { Reach } from '../../domain/project.ts';
import type { Selection, TimelineEntry, TimelinePage } from '../../domain/store.ts';
import type { Sql } from '../database.ts';
import { findProjectIds, inReach, toReached } from './selection.ts';

const BEFORE = 'cast($3 as double precision)';

/** Memories of an owner by id, in no order, without those that were deleted, whose text is empty; as they were before a Unix time, if one is given. */
export async function readMemories(sql: Sql, selection: Selection, ids: readonly string[]): Promise<readonly Memory[]> {
  const { ownerId, before } = selection;
  const { oneOf } = sql.dialect;
  const reached = inReach(sql.dialect, 's.project_id', 4);
  const columns = (id: string, end: string): string =>
    `s.${id} as id, ${end} as "endsAt", s.content_type as "contentType", s.content, s.summary, s.tags, s.ts, p.project_key as "projectKey"`;
  const rows = await sql.query(
    `select ${columns('id', 's.ends_at')}
     from memories s join projects p on p.id = s.project_id and p.owner_id = s.owner_id
     where s.owner_id = $1 and ${oneOf('s.id', 2)} and (${BEFORE} is null or s.updated_at < to_timestamp(${BEFORE}))
       and s.content <> '' and ${reached}
     union all
     select ${columns('memory_id', 'cast(null as bigint)')}
     from memory_versions s join projects p on p.id = s.project_id and p.owner_id = s.owner_id
     where s.owner_id = $1 and ${oneOf('s.memory_id', 2)}
       and s.created_at < to_timestamp(${BEFORE}) and s.replaced_at >= to_timestamp(${BEFORE})
       and s.content <> '' and ${reached}`,
    [ownerId, ids, before ?? null, toReached(selection)],
  );
  return rows.map((row) => withoutNulls(row) as Memory);
}

/** The ids of an owner's memories that begin with one of these, each of twelve characters. */
export async function findIds(sql: Sql, ownerId: string, beginnings: readonly string[]): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from memories where owner_id = $1 and ${sql.dialect.oneOf('substr(id, 1, 12)', 2)} order by id`,
    [ownerId, beginnings],
  );
  return rows.map(({ id }) => id);
}

const ORDERS = {
  newest: 'm.ts desc, m.created_at desc, m.content_hash, m.id',
  oldest: 'm.ts, m.created_at, m.content_hash desc, m.id desc',
} as const;

/** Memories from a time on. */
export async function readTimeline(
  sql: Sql,
  selection: Selection,
  since: number,
  { limit, offset = 0, order = 'newest' }: TimelinePage,
): Promise<readonly TimelineEntry[]> {
  return sql.query<TimelineEntry>(
    `select m.id, m.content_type as "contentType", m.summary, m.ts, p.project_key as "projectKey"
     from memories m join projects p on p.id = m.project_id and p.owner_id = m.owner_id
     where m.owner_id = $1 and ${sql.dialect.oneOf('m.project_id', 2, 'project')} and m.ts >= $3 and m.content <> ''
     order by ${ORDERS[order]} limit $4 offset $5`,
    [selection.ownerId, await findProjectIds(sql, selection), since, limit, offset],
  );
}

/** Projects of an owner, the one with the newest memory first. */
export async function readProjects(sql: Sql, reach: Reach, limit: number): Promise<readonly Project[]> {
  const rows = await sql.query(
    `select p.owner_id as "ownerId", p.project_key as key, p.project_name as name, p.machine_name as "machineName",
            p.project_path as path, count(m.id) as "memoryCount", max(m.ts) as "latestTs"
     from projects p left join memories m on m.project_id = p.id and m.owner_id = p.owner_id and m.content <> ''
     where p.owner_id = $1 and ${inReach(sql.dialect, 'p.id', 3)}
     group by p.id, p.owner_id, p.project_key, p.project_name, p.machine_name, p.project_path
     order by max(m.ts) desc nulls last, p.project_key limit $2`,
    [reach.ownerId, limit, toReached(reach)],
  );
  return rows.map((row) => withoutNulls(row) as Project);
}
