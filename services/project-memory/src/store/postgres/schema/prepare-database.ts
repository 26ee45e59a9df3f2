import { ContextloomError } from '@contextloom/contracts';
import type { Sql } from '../../database.ts';
import { mustRebuild, type PrepareOptions, type VectorSpace } from '../../space.ts';
import type { PostgresDatabase } from '../pg-database.ts';
import { type Layout, toLayoutSql } from './layout.ts';
import { resizeVectors, schemaSteps, vectorIndexes } from './schema.ts';

/** What a database is prepared for. */
export interface PrepareDatabaseOptions extends PrepareOptions {
  /** How tables are laid out when they are made; a database that has them keeps its own, and refuses another. */
  readonly layout?: Layout | undefined;
}

/** What the statements need to know of a database. */
export interface PreparedDatabase {
  readonly dimensions: number;
  /** The version of pgvector whose indexes are searched; undefined where all vectors of a selection are compared. */
  readonly pgvector: string | undefined;
}

/** Any number will do, as long as all servers take the same. */
const LOCK = 7_060_417;

/** Source: pgvector, HNSW indexes of halfvec. */
const MAX_INDEXED_DIMENSIONS = 4_000;
/** Since then an index is read on until a filter is satisfied; before, filtered results go missing. */
const LEAST_PGVECTOR = '0.8';

function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

const readInstalled = async (database: PostgresDatabase): Promise<string | undefined> =>
  (
    await database.query<{ version: string }>("select extversion as version from pg_extension where extname = 'vector'")
  )[0]?.version;

/** The version of pgvector where it can be used; an extension that the server has is made part of the database where the user may. */
async function findPgvector(database: PostgresDatabase, dimensions: number): Promise<string | undefined> {
  if (dimensions > MAX_INDEXED_DIMENSIONS) return undefined;
  let version = await readInstalled(database);
  if (version === undefined) {
    const available = await database.query("select from pg_available_extensions where name = 'vector'");
    if (available.length === 0) return undefined;
    // Without the right to, vectors are compared exactly. Of two servers that make it at once, one fails and finds it there.
    await database.run('create extension if not exists vector').catch(() => undefined);
    version = await readInstalled(database);
  }
  return version !== undefined && isAtLeast(version, LEAST_PGVECTOR) ? version : undefined;
}

/** Runs several statements. */
type Run = (text: string) => Promise<void>;

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

/** Looks which version the tables have, and changes nothing; 0 where there are none. */
export async function findVersion(database: Pick<PostgresDatabase, 'query'>): Promise<number> {
  const [table] = await database.query<{ known: string | null }>(
    "select to_regclass('project_memory_schema')::text as known",
  );
  if (table?.known == null) return 0;
  const [meta] = await database.query<{ version: number }>('select version from project_memory_schema');
  return meta?.version ?? 0;
}

async function migrate(sql: Sql, run: Run, options: PrepareDatabaseOptions): Promise<void> {
  const { space, layout: requested } = options;
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
  const { dimensions } = meta?.space ?? space;
  for (const step of schemaSteps.slice(version)) await run(step(toLayoutSql(layout), dimensions));
  if (meta === undefined) {
    const values = [schemaSteps.length, JSON.stringify(space), layout];
    await sql.query('insert into project_memory_schema (version, space, layout) values ($1, $2, $3)', values);
    return;
  }
  await sql.query('update project_memory_schema set version = $1', [schemaSteps.length]);
  if (!mustRebuild(meta.space, options)) return;
  await run(resizeVectors(space.dimensions));
  await sql.query('update project_memory_schema set space = $1', [JSON.stringify(space)]);
}

/** Makes the indexes over vectors where they are missing; where they are there, not even a lock is taken. */
async function makeIndexes(sql: Sql, run: Run, dimensions: number): Promise<void> {
  const [known] = await sql.query("select 1 where to_regclass('fragments_nearest') is not null");
  if (known === undefined) await run(vectorIndexes(dimensions));
}

/**
 * Brings the tables of a database to the present schema, for vectors of one space; with pgvector, their indexes too.
 * @throws ContextloomError `unavailable` for a newer schema, `conflict` for vectors of another space
 */
export async function migrateDatabase(
  database: PostgresDatabase,
  options: PrepareDatabaseOptions,
  pgvector?: string,
): Promise<void> {
  await database.transaction(async (sql) => {
    const run: Run = async (text) => {
      for (const statement of text.split(/;\s*\n/)) if (statement.trim() !== '') await sql.query(statement);
    };
    await migrate(sql, run, options);
    if (pgvector !== undefined) await makeIndexes(sql, run, options.space.dimensions);
  });
}

/**
 * Brings a database to the present schema, and finds out how its vectors are compared.
 * @throws ContextloomError as {@link migrateDatabase} does
 */
export async function prepareDatabase(
  database: PostgresDatabase,
  options: PrepareDatabaseOptions,
): Promise<PreparedDatabase> {
  const { dimensions } = options.space;
  const pgvector = await findPgvector(database, dimensions);
  await migrateDatabase(database, options, pgvector);
  return { dimensions, pgvector };
}
