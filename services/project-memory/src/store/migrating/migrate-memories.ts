import { createHash } from 'node:crypto';
import { ContextloomError } from '@contextloom/contracts';
import type { MemoryStore } from '../../domain/store.ts';
import type { ImportOutcome, ImportUnit, StoredLine, VersionLine } from '../../domain/transfer/lines.ts';
import type { SqlDatabase, StoredVector } from '../database.ts';

/** A store, and the database that it is over. */
export interface MigrationSide {
  readonly store: Pick<MemoryStore, 'exportLines' | 'importUnit' | 'addEmbeddings' | 'forget'>;
  readonly database: SqlDatabase;
}

/** What a migration works with. */
export interface MigrateMemoriesOptions {
  readonly source: MigrationSide;
  readonly target: MigrationSide;
  /** Ends the migration after the memory that is under way. */
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** How a migration ended; the same again goes on. */
export interface MigrateMemoriesReport {
  readonly owners: number;
  /** Lines of the source: projects, memories with their versions, decisions, links. */
  readonly lines: number;
  /** Lines that were written; versions count with their memory. */
  readonly copied: number;
  readonly isInterrupted: boolean;
}

/** How often the source is copied until the target has all of it: each pass copies what changed during the one before. */
const MAX_PASSES = 5;
/** Fragments whose vectors are copied at once. */
const BATCH = 200;

async function readOwners({ database }: MigrationSide): Promise<readonly string[]> {
  const rows = await database.query<{ owner: string }>('select distinct owner_id as owner from projects order by 1');
  return rows.map(({ owner }) => owner);
}

/** Joins the versions of a memory and the memory, which are imported at once. */
async function* toUnits(lines: AsyncIterable<StoredLine>): AsyncGenerator<ImportUnit> {
  let versions: VersionLine[] = [];
  for await (const line of lines) {
    if (line.kind === 'version') versions.push(line);
    else if (line.kind === 'memory') {
      yield { ...line, versions };
      versions = [];
    } else yield line;
  }
}

/** Names and paths of a project are those of whoever wrote last: what is compared of it is that it is there. */
const toDigest = (line: StoredLine): string =>
  createHash('sha256')
    .update(JSON.stringify(line.kind === 'project' ? ['project', line.project_key] : line))
    .digest('base64');

/** How many lines of an owner the source has, and how many of those the target has not. */
async function compare({ source, target }: Sides, ownerId: string): Promise<{ lines: number; missing: number }> {
  const there = new Set<string>();
  for await (const line of target.store.exportLines({ ownerId })) there.add(toDigest(line));
  let [lines, missing] = [0, 0];
  for await (const line of source.store.exportLines({ ownerId })) {
    lines += 1;
    if (!there.has(toDigest(line))) missing += 1;
  }
  return { lines, missing };
}

type Sides = Pick<MigrateMemoriesOptions, 'source' | 'target'>;

interface VectorRow {
  readonly id: string;
  readonly content: string;
  readonly embedding: StoredVector;
}

/** Copies the vectors that the target lacks: those of a model may have cost money. */
async function copyVectors({ source, target }: Sides, ownerId: string): Promise<void> {
  const { dialect } = source.database;
  for (const table of ['fragments', 'version_fragments']) {
    for (let after = ''; ; ) {
      const rows = await source.database.query<VectorRow>(
        `select id, content, ${dialect.vector('embedding')} as embedding from ${table}
         where owner_id = $1 and embedding is not null and id > $2 order by id limit ${BATCH}`,
        [ownerId, after],
      );
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      const waiting = await target.database.query<{ id: string }>(
        `select id from ${table}
         where owner_id = $1 and embedding is null and ${target.database.dialect.oneOf('id', 2)}`,
        [ownerId, rows.map(({ id }) => id)],
      );
      const wanted = new Set(waiting.map(({ id }) => id));
      const embedded = rows
        .filter(({ id }) => wanted.has(id))
        .map(({ embedding, ...row }) => ({ ...row, ownerId, embedding: dialect.toVector(embedding) }));
      if (embedded.length > 0) await target.store.addEmbeddings(embedded);
    }
  }
}

/** Copies an owner; answers what became of the lines, by outcome. */
async function copyOwner({ source, target, signal }: MigrateMemoriesOptions, ownerId: string) {
  const outcomes: Record<ImportOutcome, number> = { imported: 0, unchanged: 0, diverged: 0, missing: 0, taken: 0 };
  for await (const unit of toUnits(source.store.exportLines({ ownerId }))) {
    if (signal.aborted) return outcomes;
    outcomes[await target.store.importUnit(ownerId, unit)] += 1;
  }
  await copyVectors({ source, target }, ownerId);
  return outcomes;
}

function toConflict(missing: number, refused: number): ContextloomError {
  const message =
    refused > 0
      ? `${refused} memories or lines of the source have another history in the target, or an id that is taken there: nothing of those was changed`
      : `${missing} lines are missing in the target: stop what writes to the source, and run this again`;
  return new ContextloomError('conflict', message);
}

/**
 * Copies the memories of all owners with their histories, decisions, links and vectors, and compares what arrived with the source, line
 * by line. What the target has besides stays. It goes on where it was cut off, and an owner who is forgotten meanwhile is forgotten there too.
 * @throws ContextloomError `conflict` where the target has another history, or the source is written to faster than it can be copied
 */
export async function migrateMemories(options: MigrateMemoriesOptions): Promise<MigrateMemoriesReport> {
  const { source, target, signal, onProgress } = options;
  const begun = new Set<string>();
  let copied = 0;
  for (let pass = 1; ; pass += 1) {
    let [refused, missing, lines] = [0, 0, 0];
    const owners = await readOwners(source);
    for (const owner of owners) {
      begun.add(owner);
      const outcomes = await copyOwner(options, owner);
      copied += outcomes.imported;
      if (signal.aborted) return { owners: owners.length, lines, copied, isInterrupted: true };
      refused += outcomes.diverged + outcomes.taken;
      const compared = await compare(options, owner);
      lines += compared.lines;
      missing += compared.missing;
      onProgress(`project memory, pass ${pass}: ${lines} lines compared, ${copied} written`);
    }
    const present = new Set(await readOwners(source));
    for (const owner of begun) if (!present.has(owner)) await target.store.forget(owner, false);
    if (missing === 0) return { owners: owners.length, lines, copied, isInterrupted: false };
    if (refused > 0 || pass === MAX_PASSES) throw toConflict(missing, refused);
  }
}
