import { existsSync } from 'node:fs';
import { isDamagedError, openReadOnly } from '@contextloom/sqlite';
import type { StoreEngine } from '../database.ts';
import { toFile } from '../sqlite/engine.ts';

/** Whether a file has memories of an owner, or cannot say that it has none. */
function mayHave(file: string, ownerId: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const database = openReadOnly(file);
    try {
      return database.prepare('SELECT 1 FROM projects WHERE owner_id = ?').get(ownerId) !== undefined;
    } finally {
      database.close();
    }
  } catch (error) {
    if (isDamagedError(error)) return true;
    throw error;
  }
}

/** The forgetting of an engine whose memories may have been copied from a folder: a receipt names the file that still has an owner. */
export function withFormerFolder(forget: StoreEngine['forget'], folder: string): StoreEngine['forget'] {
  const what = toFile(folder);
  const why = 'it has memories from before DATABASE_URL was set: delete it once no server needs it';
  return async (ownerId, isDryRun) => {
    const { erased, unreached } = await forget(ownerId, isDryRun);
    return { erased, unreached: isDryRun || !mayHave(what, ownerId) ? unreached : [...unreached, { what, why }] };
  };
}
