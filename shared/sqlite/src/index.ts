export {
  backUpDatabase,
  findDamage,
  type RestoreOptions,
  removeUnusedDatabase,
  restoreDatabase,
} from './database/backup.ts';
export { requireSqlite } from './database/connect.ts';
export { isDamagedError, isEmptyFileError, parseStoredJson, sqliteCode, withStorageErrors } from './database/errors.ts';
export { type FileStore, toFileUpkeep } from './database/file-upkeep.ts';
export { type Migration, toBaseline } from './database/migrate.ts';
export { type Database, type OpenDatabaseOptions, openDatabase, openReadOnly } from './database/open-database.ts';
export { createPrepare, type Prepare } from './database/statements.ts';
export { type AddRow, type RowsOfFile, takeRows } from './database/take-rows.ts';
export { createTransactions, type Steps, type Transactions } from './database/transactions.ts';
export { createErasing, type Erasing } from './erasing/create-erasing.ts';
export { type Erased, type EraseOptions, eraseDeleted } from './erasing/erase-deleted.ts';
export { eraseFile, eraseInThread } from './erasing/erase-in-thread.ts';
export { createFileCheck } from './files/file-presence.ts';
export { makeFolders } from './files/make-folders.ts';
export { sizeOfDatabase } from './files/size-of-database.ts';
export * from './hybrid-index/index.ts';
export { toVectorBlob } from './vectors.ts';
