import {
  arbitrationActions,
  contentTypeSchema,
  memoryIdSchema,
  relations,
} from '@contextloom/contracts/project-memory';
import { z } from 'zod';
import { type ProjectFilter, projectKeySchema, type Reach } from '../project.ts';

/** What an export calls itself. */
export const FORMAT = 'contextloom-project-memory';

const SHORT = 'must be at most 4096 characters, without NUL and lone surrogates';
const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);
const text = z.string().max(4_096, SHORT).refine(isStorable, SHORT);
const required = text.min(1, 'must not be empty');
const projectKey = text.pipe(projectKeySchema);
const id = memoryIdSchema;
const TIME = 'must be a time such as 2026-01-26T08:00:00.000Z';
/** Postgres knows no year 0. */
const time = z.iso.datetime(TIME).refine((at) => !at.startsWith('0000'), TIME);
const revision = z.int().min(1).max(1_000_000_000);
const ts = z.int().min(0).max(1e11);
/** When it is forgotten, in epoch milliseconds; absent where it has no end. */
const endsAt = { ends_at: z.int().min(0).max(8.64e15).optional() };

const content = {
  content_type: contentTypeSchema,
  content: z.string().refine(isStorable, 'must not contain NUL and lone surrogates'),
  ts,
  summary: text,
  tags: z.array(text).max(100),
};

const header = z.object({ kind: z.literal('header'), format: z.literal(FORMAT), version: z.literal(1) });

const project = z.object({
  kind: z.literal('project'),
  project_key: projectKey,
  project_name: required,
  machine_name: text.nullable(),
  project_path: text.nullable(),
});

/** An earlier state; those of a memory stand before it, the oldest first. */
const version = z.object({
  kind: z.literal('version'),
  memory_id: id,
  revision,
  ...content,
  created_at: time,
  replaced_at: time,
});

const memory = z.object({
  kind: z.literal('memory'),
  id,
  project_key: projectKey,
  revision,
  ...content,
  created_at: time,
  updated_at: time,
  ...endsAt,
});

const verdict = z.object({
  kind: z.literal('arbitration'),
  project_key: projectKey,
  candidate_memory_id: id.nullable(),
  new_memory_id: id.nullable(),
  action: z.enum(arbitrationActions),
  similarity: z.number(),
  old_summary: text,
  new_summary: text,
  model: text.nullable(),
  revision: revision.nullable(),
  skipped_type: contentTypeSchema.nullable(),
  skipped_content: content.content.nullable(),
  skipped_ts: ts.nullable(),
  created_at: time,
  rolled_back_at: time.nullable(),
  ...endsAt,
});

/** What a rollback needs must be there. */
const arbitration = verdict.superRefine((line, { addIssue }) => {
  const needed = {
    REPLACE: ['candidate_memory_id', 'revision'],
    SKIP: ['skipped_type', 'skipped_content', 'skipped_ts'],
    KEEP_BOTH: [],
  } as const;
  for (const field of needed[line.action]) {
    if (line[field] === null) addIssue({ code: 'custom', path: [field], message: `is required of ${line.action}` });
  }
});

const link = z.object({
  kind: z.literal('link'),
  from_id: id,
  to_id: id,
  relation: z.enum(relations),
  created_at: time,
});

const end = z.object({ kind: z.literal('end') });

/** One line of an export, which has neither owner nor vectors: any owner can import it. */
export const lineSchema = z.discriminatedUnion('kind', [header, project, version, memory, arbitration, link, end]);

/** An earlier state of a memory. */
export type VersionLine = z.output<typeof version>;
/** The present state of a memory. */
export type MemoryLine = z.output<typeof memory>;
/** What a store exports line by line. */
export type StoredLine = Extract<
  z.output<typeof lineSchema>,
  { kind: 'project' | 'version' | 'memory' | 'arbitration' | 'link' }
>;
/** What a store takes in at once: a memory comes with all of its earlier states. */
export type ImportUnit =
  | Exclude<StoredLine, VersionLine | MemoryLine>
  | (MemoryLine & { readonly versions: readonly VersionLine[] });

/**
 * What became of something that was taken in; `diverged`: the memory that is stored is no earlier and no later state of it;
 * `missing`: a memory that it is about is not there; `taken`: the id cannot be used.
 */
export type ImportOutcome = 'imported' | 'unchanged' | 'diverged' | 'missing' | 'taken';

/** What is exported: of a project, or of all. */
export interface ExportSelection extends Reach {
  readonly project?: ProjectFilter | undefined;
}

/** What memories are moved with. */
export interface TransferStore {
  readonly exportLines: (selection: ExportSelection) => AsyncIterable<StoredLine>;
  /** All or nothing; never takes away or changes what is stored, but for a memory that it brings up to date. */
  readonly importUnit: (ownerId: string, unit: ImportUnit) => Promise<ImportOutcome>;
}
