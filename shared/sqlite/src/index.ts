export { backUpDatabase, findDamage, type RestoreOptions, restoreDatabase } from './backup.ts';
export { isDamagedError, parseStoredJson, withStorageErrors } from './errors.ts';
export { createFileCheck } from './file-presence.ts';
export * from './hybrid-index/index.ts';
export type { Migration } from './migrate.ts';
export { type Database, type OpenDatabaseOptions, openDatabase, openReadOnly } from './open-database.ts';
export { createPrepare, type Prepare } from './statements.ts';
export { createTransactions, type Steps, type Transactions } from './transactions.ts';
export { toVectorBlob } from './vectors.ts';
