import type { LayoutSql } from './layout.ts';

/** How vectors are stored: pgvector indexes `vector` up to 2,000 dimensions, `halfvec` up to 4,000. */
export interface VectorType {
  readonly type: 'vector' | 'halfvec';
  readonly dimensions: number;
}

/** One step of the schema, from the version before to its own. */
export type SchemaStep = (vector: VectorType, layout: LayoutSql) => string;

const tables: SchemaStep = ({ type, dimensions }, { key, end, refer }) => `
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
  avg_embedding ${type}(${dimensions}),
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
  embedding ${type}(${dimensions}),
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
  avg_embedding ${type}(${dimensions}),
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
const historyAndLinks: SchemaStep = ({ type, dimensions }, { key, end, refer }) => `
create table version_fragments (
  id text not null,
  memory_id text not null,
  owner_id text not null,
  project_id uuid not null,
  revision int not null,
  chunk_index int not null,
  content text not null,
  tokens tsvector not null,
  embedding ${type}(${dimensions}),
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

/** The steps of the schema, oldest first. */
export const schemaSteps: readonly SchemaStep[] = [tables, historyAndLinks, textsByHash];

/** The indexes over vectors, made again when the embedder changes. */
export const vectorIndexes = ({ type }: VectorType): string => `
create index idx_memories_avg_embedding on memories using hnsw (avg_embedding ${type}_cosine_ops);
create index idx_fragments_embedding on fragments using hnsw (embedding ${type}_cosine_ops);
`;

/** Gives the columns of vectors another size, and forgets what was in them. */
export const resizeVectors = ({ type, dimensions }: VectorType): string => `
drop index idx_memories_avg_embedding;
drop index idx_fragments_embedding;
alter table memories alter column avg_embedding type ${type}(${dimensions}) using null;
alter table memory_versions alter column avg_embedding type ${type}(${dimensions}) using null;
alter table fragments alter column embedding type ${type}(${dimensions}) using null;
alter table version_fragments alter column embedding type ${type}(${dimensions}) using null;
update memories set embedding_done = false;
`;
