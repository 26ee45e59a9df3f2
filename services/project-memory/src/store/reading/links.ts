import type { Link, LinkPattern, Related } from '../../domain/links.ts';
import type { Reach } from '../../domain/project.ts';
import type { Dialect, Sql } from '../database.ts';
import { inReach, isNull, toReached } from './selection.ts';

/** The condition that both ends of a link are memories within reach. */
const linksWithin = (dialect: Dialect, reached: number): string =>
  `(${isNull(reached)} or 2 = (
    select count(*) from memories m
    where m.owner_id = $1 and m.id in (from_id, to_id) and ${inReach(dialect, 'm.project_id', reached)}))`;

/** Draws a link if both memories are the owner's; now, unless a time is given (ISO 8601). */
export async function drawLink(
  sql: Sql,
  reach: Reach,
  { fromId, toId, relation }: Link,
  createdAt?: string,
): Promise<'created' | 'exists' | 'missing'> {
  const { dialect } = sql;
  const parameters = [reach.ownerId, fromId, toId];
  const made = await sql.query(
    `insert into memory_links (owner_id, from_id, to_id, relation, created_at)
     select $1, a.id, b.id, $4, coalesce(${dialect.time(5)}, now()) from memories a join memories b on b.owner_id = a.owner_id
     where a.owner_id = $1 and a.id = $2 and b.id = $3 and a.content <> '' and b.content <> '' and ${inReach(dialect, 'a.project_id', 6)}
       and ${inReach(dialect, 'b.project_id', 6)}
     on conflict do nothing returning 1`,
    [...parameters, relation, createdAt ?? null, toReached(reach)],
  );
  if (made.length > 0) return 'created';
  const known = await sql.query(
    `select 1 from memory_links where owner_id = $1 and from_id = $2 and to_id = $3 and relation = $4
       and ${linksWithin(sql.dialect, 5)}`,
    [...parameters, relation, toReached(reach)],
  );
  return known.length > 0 ? 'exists' : 'missing';
}

/** Removes the links from one memory to another. */
export async function removeLinks(sql: Sql, reach: Reach, { fromId, toId, relation }: LinkPattern): Promise<number> {
  const removed = await sql.query(
    `delete from memory_links where owner_id = $1 and from_id = $2 and to_id = $3
       and (cast($4 as text) is null or relation = $4) and ${linksWithin(sql.dialect, 5)} returning 1`,
    [reach.ownerId, fromId, toId, relation ?? null, toReached(reach)],
  );
  return removed.length;
}

/** What is linked with memories. */
export function readLinked(sql: Sql, reach: Reach, ids: readonly string[]): Promise<readonly Related[]> {
  return sql.query<Related>(
    `select l.asked as "ofId", m.id, l.relation, l.direction, m.content_type as "contentType", m.summary
     from (
       select from_id as asked, to_id as other, relation, 'outgoing' as direction, created_at
       from memory_links where owner_id = $1 and ${sql.dialect.oneOf('from_id', 2)} and ${linksWithin(sql.dialect, 3)}
       union all
       select to_id, from_id, relation, 'incoming', created_at
       from memory_links where owner_id = $1 and ${sql.dialect.oneOf('to_id', 2)} and ${linksWithin(sql.dialect, 3)}
     ) l join memories m on m.owner_id = $1 and m.id = l.other
     order by l.created_at, m.id, l.relation`,
    [reach.ownerId, ids, toReached(reach)],
  );
}
