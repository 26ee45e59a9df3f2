import type { FragmentHit, Passage, Selection } from '../../domain/store.ts';
import type { Dialect, ProjectId, Sql, StoredVector } from '../database.ts';
import { findProjectIds } from './selection.ts';

const TYPE = 'cast($3 as text)';
const BEFORE = 'cast($4 as double precision)';

/** The columns of a fragment and of the state that it is a part of. */
const columns = (state: string): string =>
  `f.memory_id, f.chunk_index, f.content, f.tokens, f.embedding, ${state}.content_type, ${state}.ts, ${state}.chunk_count,
         ${state}.created_at, ${state}.content_hash`;

/** The fragments of a selection: owner $1, projects $2, type $3; those of states from before the Unix time $4, if there is one. */
export const presentFragments = ({ oneOf }: Dialect, more = ''): string => `
  select ${columns('m')}${more}
  from fragments f join memories m on m.id = f.memory_id and m.owner_id = f.owner_id
  where f.owner_id = $1 and ${oneOf('f.project_id', 2, 'project')} and (${TYPE} is null or m.content_type = ${TYPE})
    and (${BEFORE} is null or m.updated_at < to_timestamp(${BEFORE}))`;

/** The fragments of earlier states that stood at the Unix time $4. */
const earlierFragments = ({ oneOf }: Dialect, more: string): string => `
  select ${columns('v')}${more}
  from version_fragments f
  join memory_versions v on v.memory_id = f.memory_id and v.revision = f.revision and v.owner_id = f.owner_id
  where f.owner_id = $1 and ${oneOf('f.project_id', 2, 'project')} and (${TYPE} is null or v.content_type = ${TYPE})
    and v.created_at < to_timestamp(${BEFORE}) and v.replaced_at >= to_timestamp(${BEFORE})`;

/** What a search looks through. A memory has one state at a time: the present one, or that which was replaced later. */
export function toSource(dialect: Dialect, { before }: Selection, more = ''): string {
  const present = presentFragments(dialect, more);
  return before === undefined ? present : `${present}\n  union all ${earlierFragments(dialect, more)}`;
}

/** The parameters of {@link toSource}. */
export const toSourceParameters = (
  { ownerId, contentType, before }: Selection,
  projectIds: readonly ProjectId[],
): readonly unknown[] => [ownerId, projectIds, contentType ?? null, before ?? null];

interface PassageRow extends Passage {
  readonly embedding: StoredVector | null;
}

/**
 * The texts of fragments and what is shown with them, in the order requested; those that are gone by now are left out. Vectors are read, and
 * not the cosines that an engine reckons: each rounds in its own way.
 */
export async function readPassages(
  sql: Sql,
  selection: Selection,
  hits: readonly FragmentHit[],
  withVectors: boolean,
): Promise<readonly Passage[]> {
  const { dialect } = sql;
  const keyOf = ({ memoryId, chunkIndex }: FragmentHit): string => `${memoryId}#${chunkIndex}`;
  const rows = await sql.query<PassageRow>(
    `select f.memory_id as "memoryId", f.chunk_index as "chunkIndex", f.chunk_count as "totalChunks",
            f.content_type as "contentType", f.ts, f.content, ${withVectors ? dialect.vector('f.embedding') : 'null'} as embedding
     from (${toSource(dialect, selection)}) f
     where ${dialect.oneOf('f.memory_id', 5)} and ${dialect.oneOf("f.memory_id || '#' || f.chunk_index", 6)}`,
    [
      ...toSourceParameters(selection, await findProjectIds(sql, selection)),
      [...new Set(hits.map(({ memoryId }) => memoryId))],
      hits.map(keyOf),
    ],
  );
  const passages = new Map(
    rows.map(({ embedding, ...row }) => [
      keyOf(row),
      { ...row, ...(embedding !== null && { vector: dialect.toVector(embedding) }) },
    ]),
  );
  return hits.flatMap((hit) => passages.get(keyOf(hit)) ?? []);
}
