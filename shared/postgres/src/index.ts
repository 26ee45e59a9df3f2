export type { Pool, PoolClient } from 'pg';
export { sqlStateOf, toDatabaseError, UNIQUE_VIOLATION } from './errors.ts';
export { migrateSchema, readSchemaVersion, type SchemaVersion, type ServiceSchema } from './migrate.ts';
export { openPool } from './pool.ts';
export { databaseUrlSchema, toDatabaseName } from './setting.ts';
