import type { LayoutSql } from './layout.ts';

/** One step of the schema, from the version before to its own, for vectors of so many dimensions. */
export type SchemaStep = (layout: LayoutSql, dimensions: number) => string;

const tables: SchemaStep = ({ key, end, refer }) => `
create table projects (
  id uuid not null default gen_random_uuid(),
  owner_id text not null,
  project_key text not null,
  project_name text not null,
  machine_name text,
  project_path text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (${key}id),
  unique (owner_id, project_key)
)${end('projects')};

create table memories (
  id text not null,
  owner_id text not null,
  project_id uuid not null,
  content_type text not null
    check (content_type in ('requirement', 'plan', 'development', 'testing', 'insight')),
  content text not null,
  content_hash text not null,
  ts bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  summary text not null,
  tags jsonb not null,
  chunk_count int not null default 1,
  embedding_done boolean not null default false,
  avg_embedding real[],
  revision int not null default 1,
  primary key (${key}id)
)${end('memories')};
${refer('memories', 'project_id', 'projects', 'id')};
create index memories_by_project on memories (project_id, ts desc);
create index memories_by_owner on memories (owner_id, ts desc);

create table fragments (
  id text not null,
  memory_id text not null,
  owner_id text not null,
  project_id uuid not null,
  chunk_index int not null,
  content text not null,
  tokens tsvector not null,
  embedding real[],
  ts timestamptz not null default now(),
  primary key (${key}id),
  unique (${key}memory_id, chunk_index)
)${end('fragments')};
${refer('fragments', 'memory_id', 'memories', 'id')};
${refer('fragments', 'project_id', 'projects', 'id')};
create index fragments_by_project on fragments (project_id);
create index fragments_by_tokens on fragments using gin (tokens);
create index fragments_pending on fragments (id) where embedding is null;

create table memory_versions (
  id bigserial not null,
  memory_id text not null,
  owner_id text not null,
  project_id uuid not null,
  revision int not null,
  content_type text not null,
  content text not null,
  content_hash text not null,
  ts bigint not null,
  summary text not null,
  tags jsonb not null,
  chunk_count int not null default 1,
  avg_embedding real[],
  created_at timestamptz not null,
  replaced_at timestamptz not null default now(),
  primary key (${key}id),
  unique (${key}memory_id, revision)
)${end('memory_versions')};
${refer('memory_versions', 'memory_id', 'memories', 'id')};
${refer('memory_versions', 'project_id', 'projects', 'id')};

create table memory_arbitrations (
  id bigserial not null,
  owner_id text not null,
  project_id uuid not null,
  candidate_memory_id text,
  new_memory_id text,
  action text not null check (action in ('REPLACE', 'KEEP_BOTH', 'SKIP')),
  similarity double precision not null,
  old_summary text not null,
  new_summary text not null,
  model text,
  -- The revision that a REPLACE made, and the text that a SKIP left out: what a rollback needs.
  revision int,
  skipped_type text,
  skipped_content text,
  skipped_ts bigint,
  created_at timestamptz not null default now(),
  rolled_back_at timestamptz,
  primary key (${key}id)
)${end('memory_arbitrations')};
${refer('memory_arbitrations', 'project_id', 'projects', 'id')};
create index arbitrations_by_owner on memory_arbitrations (owner_id, id desc);
create index arbitrations_by_candidate on memory_arbitrations (candidate_memory_id);
create index arbitrations_by_new on memory_arbitrations (new_memory_id);
`;

/** What searches of the past and related memories need. */
const historyAndLinks: SchemaStep = ({ key, end, refer }) => `
create table version_fragments (
  id text not null,
  memory_id text not null,
  owner_id text not null,
  project_id uuid not null,
  revision int not null,
  chunk_index int not null,
  content text not null,
  tokens tsvector not null,
  embedding real[],
  primary key (${key}id),
  unique (${key}memory_id, revision, chunk_index)
)${end('version_fragments')};
${refer('version_fragments', 'memory_id, revision', 'memory_versions', 'memory_id, revision')};
create index version_fragments_by_project on version_fragments (project_id);
create index version_fragments_by_tokens on version_fragments using gin (tokens);
create index version_fragments_pending on version_fragments (id) where embedding is null;

create table memory_links (
  owner_id text not null,
  from_id text not null,
  to_id text not null,
  relation text not null,
  created_at timestamptz not null default now(),
  primary key (${key}from_id, to_id, relation),
  check (from_id <> to_id)
)${end('memory_links')};
${refer('memory_links', 'from_id', 'memories', 'id')};
${refer('memory_links', 'to_id', 'memories', 'id')};
create index links_by_target on memory_links (${key}to_id);
`;

/** What finds a text that is stored already. */
const textsByHash: SchemaStep = () => `
create index memories_by_hash on memories (project_id, content_hash);
`;

/** The columns of vectors. */
const VECTORS = [
  ['memories', 'avg_embedding'],
  ['memory_versions', 'avg_embedding'],
  ['fragments', 'embedding'],
  ['version_fragments', 'embedding'],
] as const;

const forEachVector = (write: (table: string, column: string) => string): string =>
  VECTORS.map(([table, column]) => write(table, column)).join('');

const toBound = (dimensions: number) => (table: string, column: string) =>
  `alter table ${table} add constraint ${table}_dimensions check (cardinality(${column}) = ${dimensions});\n`;

/** Earlier versions kept vectors in pgvector's types; without them a database needs no extension. */
const vectorsAsArrays: SchemaStep = (_layout, dimensions) => `
drop index if exists idx_memories_avg_embedding;
drop index if exists idx_fragments_embedding;
${forEachVector((table, column) => `alter table ${table} alter column ${column} type real[] using ${column}::real[];\n`)}
${forEachVector(toBound(dimensions))}
`;

/** When memories are forgotten and texts that verdicts left out, in epoch milliseconds, and receipts of memories that were. */
const ends: SchemaStep = ({ end }) => `
alter table memories add column ends_at bigint;
alter table memory_arbitrations add column ends_at bigint;
create index memories_ends on memories (owner_id, ends_at) where ends_at is not null;
create index arbitrations_ends on memory_arbitrations (owner_id, ends_at) where ends_at is not null;
create table memory_receipts (
  owner_id text not null,
  memory_id text not null,
  ended_at bigint not null,
  erased_at bigint not null,
  primary key (owner_id, memory_id)
)${end('memory_receipts')};
`;

/** The steps of the schema, oldest first. */
export const schemaSteps: readonly SchemaStep[] = [tables, historyAndLinks, textsByHash, vectorsAsArrays, ends];

/** The indexes over vectors, for a database with pgvector. */
export const vectorIndexes = (dimensions: number): string => `
create index if not exists memories_nearest on memories using hnsw ((avg_embedding::halfvec(${dimensions})) halfvec_cosine_ops);
create index if not exists fragments_nearest on fragments using hnsw ((embedding::halfvec(${dimensions})) halfvec_cosine_ops);
`;

/** Forgets all vectors, and makes room for those of another size. */
export const resizeVectors = (dimensions: number): string => `
drop index if exists memories_nearest;
drop index if exists fragments_nearest;
${forEachVector((table) => `alter table ${table} drop constraint ${table}_dimensions;\n`)}
${forEachVector((table, column) => `alter table ${table} alter column ${column} type real[] using null;\n`)}
${forEachVector(toBound(dimensions))}
update memories set embedding_done = false;
`;
