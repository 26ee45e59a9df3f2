import type { Sql } from '../database.ts';
import type { MemoryPlace } from './write-fragments.ts';

const ENDED = 'owner_id = $1 and ends_at <= $2';

/** Whether something of an owner has ended by then, in epoch milliseconds. */
export async function hasEnded(sql: Sql, ownerId: string, now: number): Promise<boolean> {
  const text = `select 1 from memories where ${ENDED} union all select 1 from memory_arbitrations where ${ENDED} limit 1`;
  return (await sql.query(text, [ownerId, now])).length > 0;
}

/** Says when a memory is forgotten; without an end it keeps the one that it has. */
export async function putEnd(
  sql: Sql,
  { ownerId, id }: Pick<MemoryPlace, 'ownerId' | 'id'>,
  endsAt: number | null | undefined,
): Promise<void> {
  if (endsAt === undefined || endsAt === null) return;
  await sql.query('update memories set ends_at = $3 where owner_id = $1 and id = $2', [ownerId, id, endsAt]);
}

/** Erases what has ended of an owner, inside a transaction: with a memory go its versions and links, and what verdicts say of it. */
export async function forgetEnded(sql: Sql, ownerId: string, now: number): Promise<void> {
  const parameters = [ownerId, now];
  await sql.query(
    `insert into memory_receipts (owner_id, memory_id, ended_at, erased_at)
     select owner_id, id, ends_at, $2 from memories where ${ENDED} on conflict do nothing`,
    parameters,
  );
  const ids = `(select id from memories where ${ENDED})`;
  await sql.query(
    `delete from memory_arbitrations
     where ${ENDED} or (owner_id = $1 and (candidate_memory_id in ${ids} or new_memory_id in ${ids}))`,
    parameters,
  );
  await sql.query(`delete from memories where ${ENDED}`, parameters);
}
