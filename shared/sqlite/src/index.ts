export { withStorageErrors } from './errors.ts';
export type { Migration } from './migrate.ts';
export { type Database, type OpenDatabaseOptions, openDatabase } from './open-database.ts';
export { toVectorBlob } from './vectors.ts';
