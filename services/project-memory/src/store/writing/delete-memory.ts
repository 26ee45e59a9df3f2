import type { Reach } from '../../domain/project.ts';
import type { Sql } from '../database.ts';
import { inReach, toReached } from '../reading/selection.ts';
import type { MemoryPlace } from './write-fragments.ts';
import { hashOf, keepPresentState } from './write-memories.ts';

/**
 * Deletes a memory within reach, inside a transaction; `false` where there is none. Its last state becomes a version, and the
 * present one is empty: nothing finds or lists it, while searches of the past still know what it said.
 */
export async function deleteMemory(sql: Sql, reach: Reach, id: string): Promise<boolean> {
  const { ownerId } = reach;
  const [memory] = await sql.query<Pick<MemoryPlace, 'projectId'>>(
    `select project_id as "projectId" from memories
     where owner_id = $1 and id = $2 and content <> '' and ${inReach(sql.dialect, 'project_id', 3)} ${sql.dialect.lock}`,
    [ownerId, id, toReached(reach)],
  );
  if (memory === undefined) return false;
  await keepPresentState(sql, { id, ownerId, ...memory });
  await sql.query(
    `update memories set content = '', content_hash = $3, summary = '', tags = '[]', chunk_count = 0,
       embedding_done = true, avg_embedding = null, revision = revision + 1, updated_at = now()
     where owner_id = $1 and id = $2`,
    [ownerId, id, hashOf('')],
  );
  await sql.query('delete from fragments where owner_id = $1 and memory_id = $2', [ownerId, id]);
  await sql.query('delete from memory_links where owner_id = $1 and (from_id = $2 or to_id = $2)', [ownerId, id]);
  return true;
}
