export type { Pool, PoolClient } from 'pg';
export { eraseDeadRows, type Run, rewriteTables } from './erase-dead-rows.ts';
export { sqlStateOf, toDatabaseError, UNIQUE_VIOLATION } from './errors.ts';
export { migrateSchema, type ServiceSchema, toSchemaUpkeep } from './migrate.ts';
export { type OwnedDatabase, openOwnedDatabase } from './owned-database.ts';
export { openPool } from './pool.ts';
export { prepareRole, type StatementRole } from './role.ts';
export { databaseUrlSchema, EXACT_COMPARISON, toDatabaseName } from './setting.ts';
export { fromPostgresText, toPostgresText } from './text.ts';
export {
  again,
  fromDatabase,
  type OpenTransaction,
  type Query,
  Raced,
  Refused,
  transact,
  type Value,
} from './transaction.ts';
