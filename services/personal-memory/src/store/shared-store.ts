import { sizeOfDatabase } from '@contextloom/sqlite';
import type { MemoryStore } from '../domain/store.ts';
import { listAllCopies } from './backups.ts';
import { forgetInBackups, joinForgotten } from './forget-user.ts';
import { type MemoryFileOptions, openMemoryFile } from './memory-file.ts';

/**
 * Opens the store with all users in one file, each row with the id of its user.
 * @throws ContextloomError `unavailable` or `no_space`
 */
export function openSharedStore(options: MemoryFileOptions): MemoryStore {
  const opened = openMemoryFile(options);
  return {
    use: async (userId, work) => work(opened.of(userId)),
    users: async () => opened.users(),
    endedUsers: async (now) => opened.endedUsers(now),
    count: async (userId) => opened.count(userId),
    sizeOf: () => sizeOfDatabase(options.file),
    embedWaiting: opened.embedWaiting,
    countWaiting: async () => opened.countWaiting(),
    backUp: async (options) => {
      const copy = await opened.backUp(options);
      return copy === undefined ? [] : [copy];
    },
    forget: async (user, isDryRun) => {
      const { file, cipherKey, backupFolder: folder } = options;
      const known = new Set(listAllCopies(file, folder).copies);
      const own = await opened.forget(user, isDryRun);
      return joinForgotten([own, await forgetInBackups(file, { folder, user, cipherKey, isDryRun, known })]);
    },
    eraseDeleted: opened.eraseDeleted,
    close: opened.close,
  };
}
