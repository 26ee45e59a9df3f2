import type { Database } from '@contextloom/sqlite';

/** What attributes and events were drawn from, in one database: an edge a row, by addresses such as `fact:city` and `note:said-1`. */
export function createSourceTable(database: Database) {
  const drawnFrom = database
    .prepare<[string, string], string>('SELECT derived FROM sources WHERE user_id = ? AND source = ? ORDER BY derived')
    .pluck();
  const sourcesOf = database
    .prepare<[string, string], string>('SELECT source FROM sources WHERE user_id = ? AND derived = ? ORDER BY source')
    .pluck();
  const add = database.prepare<[string, string, string]>('INSERT OR IGNORE INTO sources VALUES (?, ?, ?)');
  const drop = database.prepare<[string, string]>('DELETE FROM sources WHERE user_id = ? AND derived = ?');
  return {
    drawnFrom: (user: string, source: string): readonly string[] => drawnFrom.all(user, source),
    sourcesOf: (user: string, derived: string): readonly string[] => sourcesOf.all(user, derived),
    put: (user: string, derived: string, sources: readonly string[]): void => {
      drop.run(user, derived);
      for (const source of sources) add.run(user, derived, source);
    },
  };
}
