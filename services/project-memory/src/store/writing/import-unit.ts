import type { SplitContent } from '../../domain/ingest/prepare.ts';
import type { ImportOutcome, ImportUnit, MemoryLine, VersionLine } from '../../domain/transfer/lines.ts';
import type { ProjectId, Sql } from '../database.ts';
import { drawLink } from '../reading/links.ts';
import { type MemoryPlace, replaceFragments, replaceVersionFragments } from './write-fragments.ts';
import { hashOf, lockProject } from './write-memories.ts';

type MemoryUnit = Extract<ImportUnit, { kind: 'memory' }>;
type State = Pick<MemoryLine, 'content_type' | 'content' | 'ts'>;

interface StoredState {
  readonly revision: number;
  readonly content_type: string;
  readonly content_hash: string;
  readonly ts: number;
}

const isSame = (stored: StoredState | undefined, given: State | undefined): boolean =>
  stored !== undefined &&
  given !== undefined &&
  stored.content_type === given.content_type &&
  stored.ts === given.ts &&
  stored.content_hash === hashOf(given.content);

const contentOf = ({ content_type, content, ts, summary, tags }: MemoryLine | VersionLine): readonly unknown[] => [
  content_type,
  content,
  hashOf(content),
  ts,
  summary,
  JSON.stringify(tags),
];

async function insertVersion(sql: Sql, place: MemoryPlace, version: VersionLine, split: SplitContent): Promise<void> {
  const { id, ownerId, projectId } = place;
  await sql.query(
    `insert into memory_versions (memory_id, owner_id, project_id, revision, content_type, content, content_hash, ts,
                                  summary, tags, created_at, replaced_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${sql.dialect.time(11)}, ${sql.dialect.time(12)})`,
    [id, ownerId, projectId, version.revision, ...contentOf(version), version.created_at, version.replaced_at],
  );
  await replaceVersionFragments(sql, place, version.revision, split(version.content));
}

/** Writes the present state over whatever is there; vectors are made later. Answers whether the id could be used. */
async function writeMemory(
  sql: Sql,
  place: MemoryPlace,
  unit: MemoryUnit,
  isNew: boolean,
  chunks: number,
): Promise<boolean> {
  const { time } = sql.dialect;
  const values = [
    place.ownerId,
    place.id,
    ...contentOf(unit),
    chunks,
    unit.revision,
    unit.updated_at,
    unit.ends_at ?? null,
  ];
  const text = isNew
    ? `insert into memories (owner_id, id, content_type, content, content_hash, ts, summary, tags, chunk_count, revision,
                             updated_at, ends_at, project_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${time(11)}, $12, $13, ${time(14)})
       on conflict do nothing returning 1`
    : `update memories set content_type = $3, content = $4, content_hash = $5, ts = $6, summary = $7, tags = $8,
         chunk_count = $9, revision = $10, updated_at = ${time(11)}, ends_at = $12, embedding_done = false, avg_embedding = null
       where owner_id = $1 and id = $2 returning 1`;
  const rows = await sql.query(text, isNew ? [...values, place.projectId, unit.created_at] : values);
  return rows.length > 0;
}

async function readState(
  sql: Sql,
  ownerId: string,
  id: string,
): Promise<(StoredState & { projectId: ProjectId }) | undefined> {
  const [row] = await sql.query<StoredState & { projectId: ProjectId }>(
    `select revision, content_type, content_hash, ts, project_id as "projectId"
     from memories where owner_id = $1 and id = $2 ${sql.dialect.lock}`,
    [ownerId, id],
  );
  return row;
}

/** The state of a revision that is stored, the present one or an earlier one. */
async function readRevision(sql: Sql, ownerId: string, id: string, revision: number): Promise<StoredState | undefined> {
  const [row] = await sql.query<StoredState>(
    `select revision, content_type, content_hash, ts from memory_versions
     where owner_id = $1 and memory_id = $2 and revision = $3`,
    [ownerId, id, revision],
  );
  return row;
}

/** A stored memory is brought up to date only by a later state of itself. */
async function importMemory(sql: Sql, ownerId: string, unit: MemoryUnit, split: SplitContent): Promise<ImportOutcome> {
  const { id, revision, versions } = unit;
  const projectId = await lockProject(sql, { ownerId, key: unit.project_key });
  const stored = await readState(sql, ownerId, id);
  const states: readonly State[] = [...versions, unit];
  if (stored !== undefined && stored.revision > revision) {
    return isSame(await readRevision(sql, ownerId, id, revision), unit) ? 'unchanged' : 'diverged';
  }
  if (stored !== undefined && !isSame(stored, states[stored.revision - 1])) return 'diverged';
  if (stored?.revision === revision) return 'unchanged';
  const place = { id, ownerId, projectId: stored?.projectId ?? projectId };
  const parts = split(unit.content);
  if (!(await writeMemory(sql, place, unit, stored === undefined, parts.length))) return 'taken';
  for (const version of versions.slice((stored?.revision ?? 1) - 1)) await insertVersion(sql, place, version, split);
  const fragments = parts.map((content) => ({ content }));
  await replaceFragments(sql, place, fragments);
  return 'imported';
}

async function importArbitration(
  sql: Sql,
  ownerId: string,
  line: Extract<ImportUnit, { kind: 'arbitration' }>,
): Promise<ImportOutcome> {
  const { time } = sql.dialect;
  const projectId = await lockProject(sql, { ownerId, key: line.project_key });
  const key = [ownerId, projectId, line.created_at, line.action, line.candidate_memory_id, line.new_memory_id];
  const [known] = await sql.query<{ id: number }>(
    `select id from memory_arbitrations
     where owner_id = $1 and project_id = $2 and created_at = ${time(3)} and action = $4
       and candidate_memory_id is not distinct from $5 and new_memory_id is not distinct from $6`,
    key,
  );
  if (known !== undefined) {
    const parameters = [ownerId, known.id, line.rolled_back_at];
    const changed = await sql.query(
      `update memory_arbitrations set rolled_back_at = ${time(3)}
       where owner_id = $1 and id = $2 and rolled_back_at is null and ${time(3)} is not null returning 1`,
      parameters,
    );
    return changed.length > 0 ? 'imported' : 'unchanged';
  }
  await sql.query(
    `insert into memory_arbitrations (owner_id, project_id, created_at, action, candidate_memory_id, new_memory_id, similarity,
       old_summary, new_summary, model, revision, skipped_type, skipped_content, skipped_ts, rolled_back_at, ends_at)
     values ($1, $2, ${time(3)}, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, ${time(15)}, $16)`,
    [
      ...key,
      line.similarity,
      line.old_summary,
      line.new_summary,
      line.model,
      line.revision,
      line.skipped_type,
      line.skipped_content,
      line.skipped_ts,
      line.rolled_back_at,
      line.ends_at ?? null,
    ],
  );
  return 'imported';
}

/** Takes one part of an export in, inside a transaction. */
export async function importUnit(
  sql: Sql,
  ownerId: string,
  unit: ImportUnit,
  split: SplitContent,
): Promise<ImportOutcome> {
  if (unit.kind === 'memory') return importMemory(sql, ownerId, unit, split);
  if (unit.kind === 'arbitration') return importArbitration(sql, ownerId, unit);
  if (unit.kind === 'project') {
    const made = await sql.query(
      `insert into projects (owner_id, project_key, project_name, machine_name, project_path, created_at, updated_at)
       values ($1, $2, $3, $4, $5, now(), now()) on conflict (owner_id, project_key) do nothing returning 1`,
      [ownerId, unit.project_key, unit.project_name, unit.machine_name, unit.project_path],
    );
    return made.length > 0 ? 'imported' : 'unchanged';
  }
  const { from_id: fromId, to_id: toId, relation, created_at } = unit;
  const outcomes = { created: 'imported', exists: 'unchanged', missing: 'missing' } as const;
  return outcomes[await drawLink(sql, { ownerId }, { fromId, toId, relation }, created_at)];
}
