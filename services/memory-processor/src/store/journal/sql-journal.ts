import type { Forgotten } from '@contextloom/contracts';
import type { ItemState, Journal, JournalImport, JournalItem, Rereadings } from '../../domain/imports/journal.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';

const COUNTS = `
  SELECT i.id, i.user_id AS "userId", i.sources, i.state, i.started_at AS "startedAt", i.ended_at AS "endedAt",
    count(*) FILTER (WHERE t.part = 1) AS conversations, CAST(COALESCE(SUM(t.saved), 0) AS BIGINT) AS saved,
    count(*) FILTER (WHERE t.state = 'nothing') AS "nothing", count(*) FILTER (WHERE t.state = 'failed') AS failed,
    CAST(COALESCE(SUM(t.corrected), 0) AS BIGINT) AS corrected, CAST(COALESCE(SUM(t.deleted), 0) AS BIGINT) AS deleted
  FROM imports i LEFT JOIN items t ON t.import_id = i.id`;

type Row = Omit<JournalImport, 'sources'> & { readonly sources: string };

function toImport({ sources, ...row }: Row): JournalImport {
  return { ...row, sources: JSON.parse(sources) as string[] };
}

/** Keeps what was handed in and what became of each conversation of it, the same statements in both engines. */
export function createSqlJournal(database: SqlDatabase, clock: () => Date): Journal {
  const { query, of, order } = database;
  const now = (): string => clock().toISOString();
  return {
    begin: async ({ id, userId, sources }) => {
      await of(userId)(
        `INSERT INTO imports (id, user_id, sources, state, started_at) VALUES ($1, $2, $3, 'running', $4)
         ON CONFLICT (id) DO UPDATE SET state = 'running', ended_at = NULL, sources = excluded.sources`,
        [id, userId, JSON.stringify(sources), now()],
      );
    },
    end: async (id, state) => {
      await query('UPDATE imports SET state = $2, ended_at = $3 WHERE id = $1', [id, state, now()]);
    },
    getItem: async (id, key) => {
      type Item = { readonly state: ItemState['state']; readonly saved: number };
      const [item] = await query<Item>('SELECT state, saved FROM items WHERE import_id = $1 AND key = $2', [id, key]);
      return item;
    },
    settle: (id, one, item) => settle(database, id, { one, item }),
    get: async (id) => {
      const [row] = await query<Row>(`${COUNTS} WHERE i.id = $1 GROUP BY i.id`, [id]);
      return row && toImport(row);
    },
    list: async (userId) => {
      const own = 'CAST($1 AS TEXT) IS NULL OR i.user_id = CAST($1 AS TEXT)';
      const rows = await of(userId)<Row>(`${COUNTS} WHERE ${own} GROUP BY i.id ORDER BY i.started_at DESC, i.id`, [
        userId ?? null,
      ]);
      return rows.map(toImport);
    },
    failures: async (id) => {
      const failed = `SELECT title, reason, retryable FROM items WHERE import_id = $1 AND state = 'failed' ORDER BY ${order}`;
      const rows = await query<{ title: string; reason: string; retryable: number }>(failed, [id]);
      return rows.map(({ retryable, ...rest }) => ({ ...rest, retryable: retryable === 1 }));
    },
    clear: async (id) => {
      await query('DELETE FROM items WHERE import_id = $1', [id]);
    },
    forget: (userId, isDryRun) => forget(database, userId, isDryRun),
  };
}

interface Settled {
  readonly one: JournalItem;
  readonly item: ItemState;
}

async function settle({ query }: SqlDatabase, id: string, { one, item }: Settled): Promise<void> {
  const { key, title, part, retracted = { corrected: 0, deleted: 0 } } = one;
  const failed = item.state === 'failed' ? item : undefined;
  const saved = item.state === 'nothing' ? 0 : item.saved;
  const why = [failed?.reason ?? null, failed?.retryable === true ? 1 : 0];
  await query(
    `INSERT INTO items (import_id, key, title, part, state, saved, reason, retryable, corrected, deleted)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (import_id, key) DO UPDATE SET state = excluded.state, saved = excluded.saved,
       reason = excluded.reason, retryable = excluded.retryable, corrected = excluded.corrected, deleted = excluded.deleted`,
    [id, key, title, part, item.state, saved, ...why, retracted.corrected, retracted.deleted],
  );
}

async function forget({ of, erase }: SqlDatabase, userId: string, isDryRun: boolean): Promise<Forgotten> {
  const query = of(userId);
  const count = async (what: string): Promise<number> => {
    const [row] = await query<{ count: number }>(`SELECT count(*) AS count FROM ${what}`, [userId]);
    return row?.count ?? 0;
  };
  const own = 'SELECT id FROM imports WHERE user_id = $1';
  const erased = [
    { what: 'imports', count: await count('imports WHERE user_id = $1') },
    { what: 'imported conversations', count: await count(`items WHERE import_id IN (${own})`) },
  ];
  if (isDryRun) return { erased, unreached: [] };
  await query('DELETE FROM imports WHERE user_id = $1', [userId]);
  // Without rows too: an earlier call may have ended between the two.
  return { erased, unreached: await erase(['imports', 'items']) };
}

/** Keeps when readings again began. */
export function createSqlRereadings({ query }: SqlDatabase, clock: () => Date): Rereadings {
  const find = async (name: string): Promise<string | undefined> => {
    const [row] = await query<{ at: string }>('SELECT started_at AS at FROM rereadings WHERE name = $1', [name]);
    return row?.at;
  };
  return {
    find,
    begin: async (name) => {
      const now = clock().toISOString();
      await query('INSERT INTO rereadings (name, started_at) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
        name,
        now,
      ]);
      return (await find(name)) ?? now;
    },
    end: async (name) => {
      await query('DELETE FROM rereadings WHERE name = $1', [name]);
    },
  };
}
