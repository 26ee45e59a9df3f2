import { ContextloomError, type StoreUpkeep } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import type pg from 'pg';
import { toDatabaseError } from './errors.ts';
import { openPool } from './pool.ts';
import { toDatabaseName } from './setting.ts';
import { withClient } from './with-client.ts';

/** The tables of one service, version by version. */
export interface ServiceSchema {
  /** The schema's name, a constant of the program. */
  readonly name: string;
  readonly migrations: readonly string[];
  /** The number of the advisory lock under which processes that start at once migrate one after the other. */
  readonly lock: number;
  /** The setting that has the address of its database; DATABASE_URL without it. */
  readonly setting?: string;
  /** A table that is vacuumed after a migration: one that was rewritten has neither statistics nor the map by which an index alone answers. */
  readonly vacuumed?: string;
}

function toTooNewError(
  { name, setting = 'DATABASE_URL', migrations }: ServiceSchema,
  version: number,
): ContextloomError {
  const message = `the schema ${name} of ${setting} has version ${version}, and this program knows versions up to ${migrations.length}: use the newer program that made it`;
  return new ContextloomError('unavailable', message);
}

/** Looks how far a schema is, and changes nothing; 0 where there is none. */
async function readSchemaVersion(client: pg.Pool | pg.PoolClient, { name }: ServiceSchema): Promise<number> {
  const { rows: tables } = await client.query<{ known: string | null }>('SELECT to_regclass($1)::text AS known', [
    `${name}.schema_version`,
  ]);
  if (tables[0]?.known == null) return 0;
  const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${name}.schema_version`);
  return rows[0]?.version ?? 0;
}

/**
 * Brings the tables of a service to the present version, in one transaction; makes the schema where it is missing.
 * @param first what is run once, after the tables were made
 * @throws ContextloomError `unavailable` for a newer schema
 */
export async function migrateSchema(pool: pg.Pool, schema: ServiceSchema, first = ''): Promise<void> {
  const { name, migrations, lock, vacuumed } = schema;
  await withClient(pool, async (client) => {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${lock})`);
    const version = await readSchemaVersion(client, schema);
    if (version > migrations.length) throw toTooNewError(schema, version);
    if (version < migrations.length) {
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}; SET LOCAL search_path TO ${name};
        CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)`);
      for (const sql of migrations.slice(version)) await client.query(sql);
      if (version === 0 && first !== '') await client.query(first);
      await client.query('DELETE FROM schema_version');
      await client.query('INSERT INTO schema_version (version) VALUES ($1)', [migrations.length]);
    }
    await client.query('COMMIT');
    if (vacuumed !== undefined && version < migrations.length)
      await client.query(`VACUUM (ANALYZE) ${name}.${vacuumed}`);
  });
}

/** Which schema of which database is looked at, and what it keeps. */
export interface SchemaPlace {
  readonly store: string;
  readonly url: string;
  readonly schema: ServiceSchema;
  /** What is run once, after the tables were made. */
  readonly first?: string;
}

/** The upkeep of the tables of a service; every error names the setting. */
export function toSchemaUpkeep({ store, url, schema, first }: SchemaPlace): StoreUpkeep {
  const withPool = async <T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> => {
    const pool = await openPool({ url, application: 'contextloom-migrate', log: silentLog, connections: 1 });
    try {
      return await work(pool);
    } catch (cause) {
      throw toDatabaseError(cause, schema.name, schema);
    } finally {
      await pool.end();
    }
  };
  return {
    store,
    engine: 'postgres',
    where: toDatabaseName(url),
    expected: schema.migrations.length,
    find: () => withPool((pool) => readSchemaVersion(pool, schema)),
    migrate: () => withPool((pool) => migrateSchema(pool, schema, first)),
  };
}
