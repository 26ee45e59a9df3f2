import { ContextloomError } from '@contextloom/contracts';
import type pg from 'pg';

/** The tables of one service, version by version. */
export interface ServiceSchema {
  /** The schema's name, a constant of the program. */
  readonly name: string;
  readonly migrations: readonly string[];
  /** The number of the advisory lock under which processes that start at once migrate one after the other. */
  readonly lock: number;
  /** The setting that has the address of its database; DATABASE_URL without it. */
  readonly setting?: string;
}

/** How far the tables of a service are. */
export interface SchemaVersion {
  /** 0 where there are none. */
  readonly version: number;
  /** The one that this program makes. */
  readonly wanted: number;
}

function toTooNewError(
  { name, setting = 'DATABASE_URL' }: ServiceSchema,
  { version, wanted }: SchemaVersion,
): ContextloomError {
  const message = `the schema ${name} of ${setting} has version ${version}, and this program knows versions up to ${wanted}: use the newer program that made it`;
  return new ContextloomError('unavailable', message);
}

/**
 * Looks how far a schema is, and changes nothing.
 * @throws ContextloomError `unavailable` for a newer schema
 */
export async function readSchemaVersion(
  client: pg.Pool | pg.PoolClient,
  schema: ServiceSchema,
): Promise<SchemaVersion> {
  const { name, migrations } = schema;
  const { rows: tables } = await client.query<{ known: string | null }>('SELECT to_regclass($1)::text AS known', [
    `${name}.schema_version`,
  ]);
  const wanted = migrations.length;
  if (tables[0]?.known == null) return { version: 0, wanted };
  const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${name}.schema_version`);
  const found = { version: rows[0]?.version ?? 0, wanted };
  if (found.version > wanted) throw toTooNewError(schema, found);
  return found;
}

/**
 * Brings the tables of a service to the present version, in one transaction; makes the schema where it is missing.
 * @param first what is run once, after the tables were made
 * @throws ContextloomError `unavailable` for a newer schema
 */
export async function migrateSchema(pool: pg.Pool, schema: ServiceSchema, first = ''): Promise<void> {
  const { name, migrations, lock } = schema;
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that breaks between two statements emits an error, and an error without a listener ends the process.
  const onBroken = (cause: Error): void => {
    broken = cause;
  };
  client.on('error', onBroken);
  try {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${lock})`);
    const { version } = await readSchemaVersion(client, schema);
    if (version < migrations.length) {
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}; SET LOCAL search_path TO ${name};
        CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)`);
      for (const sql of migrations.slice(version)) await client.query(sql);
      if (version === 0 && first !== '') await client.query(first);
      await client.query('DELETE FROM schema_version');
      await client.query('INSERT INTO schema_version (version) VALUES ($1)', [migrations.length]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  } finally {
    client.off('error', onBroken);
    client.release(broken);
  }
}
