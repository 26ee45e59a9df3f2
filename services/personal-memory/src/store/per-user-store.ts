import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { removeUnusedDatabase, sizeOfDatabase } from '@contextloom/sqlite';
import type { MemoryStore } from '../domain/store.ts';
import { isDue, listAllCopies } from './backups.ts';
import { joinForgotten } from './forget-user.ts';
import { type MemoryFile, type MemoryFileOptions, openMemoryFile } from './memory-file.ts';

/** Where the files are, and what each is opened with. */
export interface PerUserStoreOptions extends Omit<MemoryFileOptions, 'file'> {
  readonly folder: string;
  /** How many idle files stay open at most. */
  readonly maxOpen?: number;
}

interface OpenFile {
  readonly opened: MemoryFile;
  users: number;
}

const MAX_OPEN = 32;
const nothing = { erased: [], unreached: [] } as const;
const MiB = 2 ** 20;
const FILE_NAME = /^user-[0-9a-f]{64}\.db$/;

/** The name of a user's file: a hash, since ids may contain `..` or a slash, or differ by case alone. */
export function toFileName(userId: string): string {
  return `user-${createHash('sha256').update(userId).digest('hex')}.db`;
}

/** Whether this store gives files such a name. */
export function isUserFile(name: string): boolean {
  return FILE_NAME.test(name);
}

/** The files of all users in a folder, which may not exist yet. */
export function listUserFiles(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter(isUserFile).map((name) => join(folder, name));
}

/** Another one when a file was written: its own time, and that of what its log has. */
function toStamp(file: string): string {
  const times = [file, `${file}-wal`].map((one) => statSync(one, { throwIfNoEntry: false }));
  return times.map((stats) => (stats === undefined || stats.size === 0 ? 0 : stats.mtimeMs)).join();
}

/** Builds the store with one file per user. */
export function createPerUserStore({ folder, maxOpen = MAX_OPEN, ...options }: PerUserStoreOptions): MemoryStore {
  /** Least recently used first. */
  const files = new Map<string, OpenFile>();
  /** What may have something to erase: at first each. */
  const touched = new Set(listUserFiles(folder));
  /** When the next end of a file comes, and what it was like then: it stays closed until that time, or until it is written. */
  const looked = new Map<string, { readonly stamp: string; readonly nextEnd: number }>();
  const open = (file: string): OpenFile => {
    const found = files.get(file) ?? {
      opened: openMemoryFile({ threads: 0, cacheBytes: 4 * MiB, ...options, file }),
      users: 0,
    };
    files.delete(file);
    files.set(file, found);
    return found;
  };
  const closeIdle = async (): Promise<void> => {
    const idle = [...files].filter(([, { users }]) => users === 0);
    const surplus = idle.slice(0, Math.max(0, files.size - maxOpen));
    for (const [file] of surplus) files.delete(file);
    await Promise.all(surplus.map(([, { opened }]) => opened.close()));
  };
  /** Deletes a file that nothing uses; one that is in use stays, without what was erased from it. */
  const removeIdle = async (file: string): Promise<void> => {
    const found = files.get(file);
    if (found !== undefined && found.users > 0) return;
    files.delete(file);
    await found?.opened.close();
    removeUnusedDatabase({ file, cipherKey: options.cipherKey });
  };
  const useFile = async <T>(file: string, work: (opened: MemoryFile) => T | Promise<T>): Promise<T> => {
    const one = open(file);
    one.users += 1;
    touched.add(file);
    try {
      return await work(one.opened);
    } finally {
      one.users -= 1;
      await closeIdle();
    }
  };
  return {
    use: (userId, work) => useFile(join(folder, toFileName(userId)), (opened) => work(opened.of(userId))),
    users: async () => {
      const lists: (readonly string[])[] = [];
      for (const file of listUserFiles(folder)) lists.push(await useFile(file, (opened) => opened.users()));
      return lists.flat().sort();
    },
    endedUsers: async (now) => {
      const ended: string[] = [];
      for (const file of listUserFiles(folder)) {
        const known = looked.get(file);
        if (known !== undefined && known.nextEnd > now && known.stamp === toStamp(file)) continue;
        await useFile(file, (opened) => {
          looked.set(file, { stamp: toStamp(file), nextEnd: opened.nextEnd() });
          ended.push(...opened.endedUsers(now));
        });
      }
      return ended;
    },
    count: async (userId) => {
      const file = join(folder, toFileName(userId));
      return existsSync(file) ? useFile(file, (opened) => opened.count(userId)) : [];
    },
    sizeOf: () => listUserFiles(folder).reduce((sum, file) => sum + sizeOfDatabase(file), 0),
    // The open files alone: what was stored while the embedder was out of reach is in one of them, or is found when it is opened.
    embedWaiting: async () => {
      let made = 0;
      for (const file of [...files.keys()]) {
        if (files.has(file)) made += await useFile(file, (opened) => opened.embedWaiting());
      }
      return made;
    },
    countWaiting: async () => {
      let count = 0;
      for (const file of listUserFiles(folder)) count += await useFile(file, (opened) => opened.countWaiting());
      return count;
    },
    backUp: async (options) => {
      const copies: (string | undefined)[] = [];
      // Files that are not due stay closed.
      for (const file of listUserFiles(folder).filter((one) => isDue(one, options))) {
        copies.push(await useFile(file, (one) => one.backUp(options)));
      }
      return copies.filter((copy) => copy !== undefined);
    },
    forget: async (userId, isDryRun) => {
      const file = join(folder, toFileName(userId));
      const own = existsSync(file) ? await useFile(file, (opened) => opened.forget(userId, isDryRun)) : nothing;
      const { copies, unfinished } = listAllCopies(file, options.backupFolder);
      if (!isDryRun) {
        for (const one of copies) for (const suffix of ['', '-wal', '-shm']) rmSync(`${one}${suffix}`, { force: true });
        for (const one of unfinished) removeUnusedDatabase({ file: one, cipherKey: options.cipherKey });
        await removeIdle(file);
      }
      return joinForgotten([own, { erased: [{ what: 'backups', count: copies.length }], unreached: [] }]);
    },
    eraseDeleted: async () => {
      let isErased = false;
      for (const file of [...touched].filter((one) => existsSync(one))) {
        if (await useFile(file, (opened) => opened.eraseDeleted())) isErased = true;
        touched.delete(file);
      }
      return isErased;
    },
    close: async () => {
      await Promise.all([...files.values()].map(({ opened }) => opened.close()));
      files.clear();
    },
  };
}
