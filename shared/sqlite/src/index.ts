export { withStorageErrors } from './errors.ts';
export * from './hybrid-index/index.ts';
export type { Migration } from './migrate.ts';
export { type Database, type OpenDatabaseOptions, openDatabase, openReadOnly } from './open-database.ts';
export { serveCalls } from './serve-calls.ts';
export { createPrepare, type Prepare } from './statements.ts';
export { createTransactions, type Steps, type Transactions } from './transactions.ts';
export { toVectorBlob } from './vectors.ts';
export { createWorkerPool, type WorkerPool } from './worker-pool.ts';
