import { existsSync } from 'node:fs';
import { openReadOnly } from '@contextloom/sqlite';

/** Whether an index that need not be open has an entry that has ended by then; one of an earlier schema has none with an end. */
export function indexHasEnded(file: string, now: Date): boolean {
  if (!existsSync(file)) return false;
  const database = openReadOnly(file);
  try {
    const columns = database.prepare<[], string>("SELECT name FROM pragma_table_info('memory_entries')").pluck().all();
    if (!columns.includes('ends_at')) return false;
    const found = database.prepare('SELECT 1 FROM memory_entries WHERE ends_at <= ? LIMIT 1').get(now.getTime());
    return found !== undefined;
  } finally {
    database.close();
  }
}
