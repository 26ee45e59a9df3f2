import { toVector } from '@contextloom/sqlite';
import { toCosine } from '../../domain/ingest/vectors.ts';
import type { Related } from '../../domain/links.ts';
import type { Reach } from '../../domain/project.ts';
import type { Candidate, IngestChange } from '../../domain/store.ts';
import type { ProjectId, Sql } from '../database.ts';
import { compareTies, type Tie } from '../reading/rank-words.ts';
import { inReach, toReached } from '../reading/selection.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** How many memories are offered as candidates, at the most. */
const CANDIDATES = 3;

/** A memory of a project, and how near it is. */
interface Near extends Candidate, Tie {}

/** The memories of a project that are nearest to a vector, best first, as far as they are near enough. */
function findNear(
  database: SqliteDatabase,
  { ownerId, projectId, vector, least }: NearQuery,
  sql?: Sql,
): readonly Near[] {
  const near: Near[] = [];
  database.each(
    `select avg_embedding, id, revision, content_type, summary, ts, created_at, content_hash from memories
     where owner_id = $1 and project_id = $2 and avg_embedding is not null`,
    [ownerId, projectId],
    ([embedding, id, revision, contentType, summary, ts, createdAt, hash]) => {
      const similarity = toCosine(toVector(embedding as Buffer), vector);
      if (similarity < least) return;
      near.push({ id, revision, contentType, summary, similarity, ts, createdAt, hash } as Near);
    },
    sql,
  );
  return near.sort((a, b) => b.similarity - a.similarity || compareTies(a, b));
}

interface NearQuery {
  readonly ownerId: string;
  readonly projectId: ProjectId;
  readonly vector: Float32Array;
  readonly least: number;
}

/** The memories of a project that are nearest to a new one, as far as they are near enough; inside a transaction. */
export async function findNearest(
  database: SqliteDatabase,
  sql: Sql,
  { project: { ownerId }, content: { embedding: vector }, threshold: least }: IngestChange,
  projectId: ProjectId,
): Promise<readonly Candidate[]> {
  if (vector === undefined) return [];
  const near = findNear(database, { ownerId, projectId, vector, least }, sql);
  return near.slice(0, CANDIDATES).map(({ id, revision, contentType, summary, similarity }) => ({
    id,
    revision,
    contentType,
    summary,
    similarity,
  }));
}

/** The nearest memories of each one's project. */
export async function readSimilar(
  database: SqliteDatabase,
  reach: Reach,
  ids: readonly string[],
  least: number,
  limit: number,
): Promise<readonly Related[]> {
  const { ownerId } = reach;
  const { dialect } = database;
  const requested = await database.query<{ id: string; projectId: ProjectId; embedding: Uint8Array }>(
    `select id, project_id as "projectId", avg_embedding as embedding from memories
     where owner_id = $1 and ${dialect.oneOf('id', 2)} and avg_embedding is not null and ${inReach(dialect, 'project_id', 3)}`,
    [ownerId, ids, toReached(reach)],
  );
  const similar = requested.flatMap(({ id: ofId, projectId, embedding }) => {
    const vector = dialect.toVector(embedding);
    const near = findNear(database, { ownerId, projectId, vector, least }).filter(({ id }) => id !== ofId);
    return near.slice(0, limit).map((one) => ({ ofId, ...one }));
  });
  return similar
    .sort((a, b) => b.similarity - a.similarity || compareTies(a, b))
    .map(({ ofId, id, contentType, summary }) => ({
      ofId,
      id,
      contentType,
      summary,
      relation: 'similar' as const,
      direction: 'none' as const,
    }));
}
