import { ContextloomError } from '@contextloom/contracts';
import type { Sql } from '../../database.ts';
import { mustRebuild, type PrepareOptions, type VectorSpace } from '../../space.ts';
import type { PostgresDatabase } from '../pg-database.ts';
import { type Layout, toLayoutSql } from './layout.ts';
import { resizeVectors, schemaSteps, type VectorType, vectorIndexes } from './schema.ts';

/** What a database is prepared for. */
export interface PrepareDatabaseOptions extends PrepareOptions {
  /** How tables are laid out when they are made; a database that has them keeps its own, and refuses another. */
  readonly layout?: Layout | undefined;
}

/** What the statements need to know of a database. */
export interface PreparedDatabase {
  readonly vector: VectorType;
  /** Since pgvector 0.8 an index is read on until a filter is satisfied; before, filtered results go missing. */
  readonly hasIterativeScan: boolean;
}

/** Any number will do, as long as all servers take the same. */
const LOCK = 7_060_417;

/** Source: pgvector, HNSW: up to 2,000 dimensions of vector, 4,000 of halfvec. */
function toVectorType(dimensions: number): VectorType {
  if (dimensions <= 2_000) return { type: 'vector', dimensions };
  if (dimensions <= 4_000) return { type: 'halfvec', dimensions };
  const message = `the embedder's vectors have ${dimensions} dimensions; pgvector indexes at most 4000: set EMBEDDING_DIMENSIONS or another EMBEDDING_MODEL`;
  throw new ContextloomError('invalid', message, { field: 'EMBEDDING_DIMENSIONS' });
}

const NO_PGVECTOR =
  'the database of DATABASE_URL has no pgvector 0.5 or newer (halfvec: 0.7), which project memory needs: install it at the server, or take project memory out of the composition';
const AVAILABLE = "select name from pg_available_extensions where name = 'vector'";

async function readExtension(
  database: PostgresDatabase,
  { type }: VectorType,
): Promise<PreparedDatabase['hasIterativeScan']> {
  const find = "select extversion from pg_extension where extname = 'vector'";
  const missing = (cause?: unknown) => new ContextloomError('unavailable', NO_PGVECTOR, { cause });
  const [known] = await database.query<{ extversion: string }>(find);
  let failure: unknown;
  if (known === undefined) {
    await database.run('create extension if not exists vector').catch((cause: unknown) => {
      failure = cause;
    });
  }
  const [found] = known === undefined ? await database.query<{ extversion: string }>(find) : [known];
  // Two servers that start at once both make it: `if not exists` does not keep them apart, and one of them fails.
  if (found === undefined) throw missing(failure);
  const minor = Number(/^0\.(\d+)/.exec(found?.extversion ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
  if (minor < (type === 'halfvec' ? 7 : 5)) throw missing();
  return minor >= 8;
}

interface Meta {
  readonly version: number;
  readonly space: VectorSpace;
  readonly layout: Layout;
}

/** The layout of the tables that there are, or are to be made. */
function chooseLayout(known: Layout | undefined, requested: Layout | undefined): Layout {
  if (known === undefined || requested === undefined || known === requested) return known ?? requested ?? 'plain';
  const message = `the tables are ${known}, and PROJECT_MEMORY_LAYOUT asks for ${requested}: export, and import into an empty database`;
  throw new ContextloomError('conflict', message, { field: 'PROJECT_MEMORY_LAYOUT' });
}

/**
 * Looks which version the tables have, and changes nothing; 0 where there are none.
 * @throws ContextloomError `unavailable` where none can be made, since the server has no pgvector
 */
export async function findVersion(database: Pick<PostgresDatabase, 'query'>): Promise<number> {
  const [table] = await database.query<{ known: string | null }>(
    "select to_regclass('project_memory_schema')::text as known",
  );
  if (table?.known == null) {
    if ((await database.query(AVAILABLE)).length === 0) throw new ContextloomError('unavailable', NO_PGVECTOR);
    return 0;
  }
  const [meta] = await database.query<{ version: number }>('select version from project_memory_schema');
  return meta?.version ?? 0;
}

async function migrate(sql: Sql, run: (text: string) => Promise<void>, options: PrepareDatabaseOptions): Promise<void> {
  const { space, layout: requested } = options;
  const vector = toVectorType(space.dimensions);
  // Another server may be bringing a large database up to date.
  await sql.query('set local lock_timeout = 0');
  await sql.query('select pg_advisory_xact_lock($1)', [LOCK]);
  await run('create table if not exists project_memory_schema (version int not null, space jsonb not null)');
  await run("alter table project_memory_schema add column if not exists layout text not null default 'plain'");
  const [meta] = await sql.query<Meta>('select version, space, layout from project_memory_schema');
  const version = meta?.version ?? 0;
  if (version > schemaSteps.length) {
    throw new ContextloomError('unavailable', 'the database was written by a newer version of this program');
  }
  const layout = chooseLayout(meta?.layout, requested);
  // Columns of an older store have the vectors of its space until they are made again below.
  const stored = meta === undefined ? vector : toVectorType(meta.space.dimensions);
  for (const step of schemaSteps.slice(version)) await run(step(stored, toLayoutSql(layout)));
  if (meta === undefined) {
    await run(vectorIndexes(vector));
    const values = [schemaSteps.length, JSON.stringify(space), layout];
    await sql.query('insert into project_memory_schema (version, space, layout) values ($1, $2, $3)', values);
    return;
  }
  await sql.query('update project_memory_schema set version = $1', [schemaSteps.length]);
  if (!mustRebuild(meta.space, options)) return;
  await run(resizeVectors(vector));
  await run(vectorIndexes(vector));
  await sql.query('update project_memory_schema set space = $1', [JSON.stringify(space)]);
}

/**
 * Brings a database to the present schema, for vectors of one space.
 * @throws ContextloomError `unavailable` without pgvector or for a newer schema, `conflict` for vectors of another space
 */
export async function prepareDatabase(
  database: PostgresDatabase,
  options: PrepareDatabaseOptions,
): Promise<PreparedDatabase> {
  const vector = toVectorType(options.space.dimensions);
  const hasIterativeScan = await readExtension(database, vector);
  await database.transaction(async (sql) => {
    const run = async (text: string): Promise<void> => {
      for (const statement of text.split(/;\s*\n/)) if (statement.trim() !== '') await sql.query(statement);
    };
    await migrate(sql, run, options);
  });
  return { vector, hasIterativeScan };
}
