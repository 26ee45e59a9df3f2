import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import type { MemoryStore } from '../../src/domain/store.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import type { FormerFiles } from '../../src/store/postgres/takeover.ts';
import { storeOptions } from './memory.ts';

/** The files of a folder in which a store of all users may lie. */
export function toFiles(folder: string): FormerFiles {
  const file = join(folder, 'memory.db');
  return {
    place: file,
    moved: join(folder, 'memory.before-postgres.db'),
    list: () => (existsSync(file) ? [file] : []),
    cipherKey: undefined,
    backupFolder: join(folder, 'backups'),
  };
}

/** Opens the store of a database as a process of its own would; the files of a folder are taken over. */
export function openPostgresAt(
  url: string,
  folder = '/nowhere',
  how: Partial<typeof storeOptions> = {},
): Promise<MemoryStore> {
  return openPostgresStore({ ...storeOptions, ...how, url, files: toFiles(folder), log: silentLog });
}
