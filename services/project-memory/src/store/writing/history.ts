import { ContextloomError, withoutNulls } from '@contextloom/contracts';
import type { ArbitrationAction } from '@contextloom/contracts/project-memory';
import type { SplitContent } from '../../domain/ingest/prepare.ts';
import { toMeanVector } from '../../domain/ingest/vectors.ts';
import type { Arbitration, Fragment, MemoryContent, MemoryVersion } from '../../domain/memory.ts';
import type { Reach } from '../../domain/project.ts';
import type { ArbitrationQuery, RollbackChange, RollbackOutcome, SkippedText } from '../../domain/store.ts';
import type { ProjectId, Sql, StoredVector } from '../database.ts';
import { findProjectIds, inReach, toReached } from '../reading/selection.ts';
import type { MemoryPlace } from './write-fragments.ts';
import { insertMemory, replaceMemory } from './write-memories.ts';

const VERSION = `revision, content_type as "contentType", content, summary, tags, ts`;

/** All states of a memory, the present one first. */
export async function readVersions(sql: Sql, reach: Reach, id: string): Promise<readonly MemoryVersion[]> {
  const rows = await sql.query(
    `select ${VERSION}, null as "replacedAt" from memories
     where owner_id = $1 and id = $2 and ${inReach(sql.dialect, 'project_id', 3)}
     union all
     select ${VERSION}, ${sql.dialect.iso('replaced_at', 'MS')} from memory_versions
     where owner_id = $1 and memory_id = $2 and ${inReach(sql.dialect, 'project_id', 3)}
     order by revision desc`,
    [reach.ownerId, id, toReached(reach)],
  );
  return rows.map((row) => withoutNulls(row) as MemoryVersion);
}

/** The log of verdicts, newest first. */
export async function readArbitrations(sql: Sql, query: ArbitrationQuery): Promise<readonly Arbitration[]> {
  const { ownerId, memoryId, limit } = query;
  const rows = await sql.query(
    `select a.id, p.project_key as "projectKey", a.candidate_memory_id as "candidateId",
            a.new_memory_id as "newId", a.action, a.similarity, a.old_summary as "oldSummary",
            a.new_summary as "newSummary", a.model, ${sql.dialect.iso('a.created_at', 'MS')} as "createdAt",
            ${sql.dialect.iso('a.rolled_back_at', 'MS')} as "rolledBackAt"
     from memory_arbitrations a join projects p on p.id = a.project_id and p.owner_id = a.owner_id
     where a.owner_id = $1 and ${sql.dialect.oneOf('a.project_id', 2, 'project')}
       and (cast($3 as text) is null or a.candidate_memory_id = $3 or a.new_memory_id = $3)
     order by a.id desc limit $4`,
    [ownerId, await findProjectIds(sql, query), memoryId ?? null, limit],
  );
  return rows.map((row) => withoutNulls(row) as Arbitration);
}

/** The text that a verdict left out. */
export async function readSkippedText(sql: Sql, reach: Reach, id: number): Promise<SkippedText | undefined> {
  const [row] = await sql.query<SkippedText>(
    `select skipped_type as "contentType", skipped_content as content, skipped_ts as ts, ends_at as "endsAt"
     from memory_arbitrations
     where owner_id = $1 and id = $2 and skipped_content is not null and ${inReach(sql.dialect, 'project_id', 3)}`,
    [reach.ownerId, id, toReached(reach)],
  );
  return row;
}

interface LoggedArbitration {
  readonly projectId: ProjectId;
  readonly candidateId: string;
  readonly action: ArbitrationAction;
  readonly revision: number | null;
  readonly isRolledBack: boolean | number;
}

async function lockArbitration(sql: Sql, change: RollbackChange): Promise<LoggedArbitration> {
  const { ownerId, arbitrationId } = change;
  const refuse = (code: 'not_found' | 'conflict', problem: string) =>
    new ContextloomError(code, `arbitration ${arbitrationId} ${problem}`, { field: 'arbitration_id' });
  const [row] = await sql.query<LoggedArbitration>(
    `select project_id as "projectId", candidate_memory_id as "candidateId", action, revision,
            rolled_back_at is not null as "isRolledBack"
     from memory_arbitrations where owner_id = $1 and id = $2 and ${inReach(sql.dialect, 'project_id', 3)} ${sql.dialect.lock}`,
    [ownerId, arbitrationId, toReached(change)],
  );
  if (row === undefined) throw refuse('not_found', 'is not known');
  if (row.isRolledBack) throw refuse('conflict', 'is rolled back already');
  if (row.action === 'KEEP_BOTH') throw refuse('conflict', 'kept both memories: there is nothing to undo');
  return row;
}

/** The fragments of an earlier state; none of a state from before they were kept. */
async function readVersionFragments(
  sql: Sql,
  { id, ownerId }: MemoryPlace,
  revision: number,
): Promise<readonly Fragment[]> {
  const rows = await sql.query<{ content: string; embedding: StoredVector | null }>(
    `select content, ${sql.dialect.vector('embedding')} as embedding from version_fragments
     where owner_id = $1 and memory_id = $2 and revision = $3 order by chunk_index`,
    [ownerId, id, revision],
  );
  return rows.map(({ content, embedding }) => ({
    content,
    embedding: embedding === null ? undefined : sql.dialect.toVector(embedding),
  }));
}

/** Makes the state before a replacement the present one; the replacement itself becomes history and is not lost. */
async function restore(
  sql: Sql,
  { ownerId, arbitrationId }: RollbackChange,
  { candidateId, projectId, revision }: LoggedArbitration,
  split: SplitContent,
): Promise<RollbackOutcome> {
  const [present] = await sql.query<{ revision: number }>(
    `select revision from memories where owner_id = $1 and id = $2 ${sql.dialect.lock}`,
    [ownerId, candidateId],
  );
  if (present?.revision !== revision) {
    const message = `arbitration ${arbitrationId} is not the last change of ${candidateId}: roll back the later ones first`;
    throw new ContextloomError('conflict', message, { field: 'arbitration_id' });
  }
  const before = (revision ?? 1) - 1;
  const [state] = await sql.query<Omit<MemoryContent, 'fragments' | 'embedding'>>(
    `select content_type as "contentType", content, ts, summary, tags
     from memory_versions where owner_id = $1 and memory_id = $2 and revision = $3`,
    [ownerId, candidateId, before],
  );
  if (state === undefined) throw new ContextloomError('internal', `${candidateId} has lost a version; see --doctor`);
  const place = { id: candidateId, ownerId, projectId };
  const kept = await readVersionFragments(sql, place, before);
  const fragments: readonly Fragment[] = kept.length > 0 ? kept : split(state.content).map((content) => ({ content }));
  const vectors = fragments.flatMap(({ embedding }) => embedding ?? []);
  const embedding = vectors.length === fragments.length ? toMeanVector(vectors) : undefined;
  await replaceMemory(sql, place, { ...state, embedding, fragments });
  return { id: candidateId, status: 'restored' };
}

/** Undoes a verdict, inside a transaction. */
export async function rollbackArbitration(
  sql: Sql,
  change: RollbackChange,
  split: SplitContent,
): Promise<RollbackOutcome> {
  const logged = await lockArbitration(sql, change);
  const { ownerId, arbitrationId, skipped } = change;
  await sql.query('update memory_arbitrations set rolled_back_at = now() where owner_id = $1 and id = $2', [
    ownerId,
    arbitrationId,
  ]);
  if (logged.action === 'REPLACE') return restore(sql, change, logged, split);
  if (skipped === undefined) throw new ContextloomError('internal', 'the skipped text is gone');
  const place = { id: skipped.newId, ownerId, projectId: logged.projectId };
  await insertMemory(sql, place, skipped.content);
  return { id: skipped.newId, status: 'created' };
}
