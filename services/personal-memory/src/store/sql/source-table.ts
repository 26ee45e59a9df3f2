import type { Sql } from './sql.ts';

/** What attributes and events were drawn from: an edge a row, by addresses such as `fact:city` and `note:said-1`. */
export function createSourceTable({ query }: Sql) {
  return {
    drawnFrom: async (user: string, source: string): Promise<readonly string[]> => {
      const rows = await query<{ derived: string }>(
        'SELECT derived FROM sources WHERE user_id = ? AND source = ? ORDER BY derived',
        [user, source],
      );
      return rows.map(({ derived }) => derived);
    },
    sourcesOf: async (user: string, derived: string): Promise<readonly string[]> => {
      const rows = await query<{ source: string }>(
        'SELECT source FROM sources WHERE user_id = ? AND derived = ? ORDER BY source',
        [user, derived],
      );
      return rows.map(({ source }) => source);
    },
    all: async (user: string): Promise<ReadonlyMap<string, readonly string[]>> => {
      const rows = await query<{ derived: string; source: string }>(
        'SELECT derived, source FROM sources WHERE user_id = ? ORDER BY derived, source',
        [user],
      );
      const all = new Map<string, string[]>();
      for (const { derived, source } of rows) {
        const sources = all.get(derived);
        if (sources === undefined) all.set(derived, [source]);
        else sources.push(source);
      }
      return all;
    },
    put: async (user: string, derived: string, sources: readonly string[]): Promise<void> => {
      await query('DELETE FROM sources WHERE user_id = ? AND derived = ?', [user, derived]);
      for (const source of sources) {
        await query('INSERT INTO sources (user_id, derived, source) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', [
          user,
          derived,
          source,
        ]);
      }
    },
  };
}
