import { existsSync } from 'node:fs';
import type { Forgotten } from '@contextloom/contracts';
import { eraseFile, openDatabase, withStorageErrors } from '@contextloom/sqlite';
import { journalMigrations } from './journal/journal.ts';

/**
 * Counts a user's imports in the journal of a file, which may be missing, and erases them unless it is a dry run.
 * @throws ContextloomError `unavailable` or `no_space`
 */
export async function forgetImports(file: string, userId: string, isDryRun: boolean): Promise<Forgotten> {
  if (!existsSync(file)) return { erased: [], unreached: [] };
  const database = openDatabase({ file, migrations: journalMigrations });
  try {
    const own = 'SELECT id FROM imports WHERE user_id = ?';
    const count = (sql: string): number =>
      withStorageErrors(() => database.prepare<[string], number>(sql).pluck().get(userId) ?? 0);
    const erased = [
      { what: 'imports', count: count('SELECT count(*) FROM imports WHERE user_id = ?') },
      { what: 'imported conversations', count: count(`SELECT count(*) FROM items WHERE import_id IN (${own})`) },
    ];
    if (isDryRun) return { erased, unreached: [] };
    withStorageErrors(() => database.prepare('DELETE FROM imports WHERE user_id = ?').run(userId));
    // Without rows too: an earlier call may have ended between the two.
    return { erased, unreached: await eraseFile({ file }) };
  } finally {
    database.close();
  }
}
