import { openDatabase } from '@contextloom/sqlite';
import type { ItemState, Journal, JournalImport } from './journal-types.ts';

/** The name of its file, in the data folder. */
export const JOURNAL_FILE = 'imports.db';

const SCHEMA = `
CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  sources TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT
);
CREATE TABLE items (
  import_id TEXT NOT NULL REFERENCES imports(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  saved INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  retryable INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (import_id, key)
);`;

/** A long conversation is kept in parts. */
const PARTS = 'ALTER TABLE items ADD COLUMN part INTEGER NOT NULL DEFAULT 1';

/** When each reading again began that is not done yet. */
const REREADINGS = 'CREATE TABLE rereadings (name TEXT PRIMARY KEY, started_at TEXT NOT NULL)';

/** How many memories of each conversation a person had corrected or deleted. */
const RETRACTED = `ALTER TABLE items ADD COLUMN corrected INTEGER NOT NULL DEFAULT 0;
ALTER TABLE items ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;`;

/** The schema of the journal, version by version. */
export const journalMigrations = [SCHEMA, PARTS, REREADINGS, RETRACTED] as const;

const COUNTS = `
  SELECT i.id, i.user_id AS userId, i.sources, i.state, i.started_at AS startedAt, i.ended_at AS endedAt,
    COALESCE(SUM(t.part = 1), 0) AS conversations, COALESCE(SUM(t.saved), 0) AS saved,
    COALESCE(SUM(t.state = 'nothing'), 0) AS "nothing", COALESCE(SUM(t.state = 'failed'), 0) AS failed,
    COALESCE(SUM(t.corrected), 0) AS corrected, COALESCE(SUM(t.deleted), 0) AS deleted
  FROM imports i LEFT JOIN items t ON t.import_id = i.id`;

type Row = Omit<JournalImport, 'sources'> & { readonly sources: string };

function toImport({ sources, ...row }: Row): JournalImport {
  return { ...row, sources: JSON.parse(sources) as string[] };
}

/** Opens the journal of imports: what was handed in, and what became of each conversation of it. */
export function openJournal(file: string, clock: () => Date): Journal {
  const database = openDatabase({ file, migrations: journalMigrations });
  const now = (): string => clock().toISOString();
  const begin = database.prepare(
    `INSERT INTO imports (id, user_id, sources, state, started_at) VALUES (@id, @userId, @sources, 'running', @at)
     ON CONFLICT (id) DO UPDATE SET state = 'running', ended_at = NULL, sources = @sources`,
  );
  const end = database.prepare('UPDATE imports SET state = @state, ended_at = @at WHERE id = @id');
  const put = database.prepare(
    `INSERT INTO items (import_id, key, title, part, state, saved, reason, retryable, corrected, deleted)
     VALUES (@importId, @key, @title, @part, @state, @saved, @reason, @retryable, @corrected, @deleted)
     ON CONFLICT (import_id, key) DO UPDATE SET state = @state, saved = @saved, reason = @reason, retryable = @retryable,
       corrected = @corrected, deleted = @deleted`,
  );
  const get = database.prepare<[string, string], { state: ItemState['state']; saved: number }>(
    'SELECT state, saved FROM items WHERE import_id = ? AND key = ?',
  );
  const byId = database.prepare<[string], Row>(`${COUNTS} WHERE i.id = ? GROUP BY i.id`);
  const all = database.prepare<[], Row>(`${COUNTS} GROUP BY i.id ORDER BY i.started_at DESC, i.id`);
  const failures = database.prepare<[string], { title: string; reason: string; retryable: number }>(
    "SELECT title, reason, retryable FROM items WHERE import_id = ? AND state = 'failed' ORDER BY rowid",
  );
  const clear = database.prepare('DELETE FROM items WHERE import_id = ?');
  return {
    begin: ({ id, userId, sources }) => void begin.run({ id, userId, sources: JSON.stringify(sources), at: now() }),
    end: (id, state) => void end.run({ id, state, at: now() }),
    getItem: (id, key) => get.get(id, key),
    settle: (importId, { retracted = { corrected: 0, deleted: 0 }, ...one }, item) => {
      const failed = item.state === 'failed';
      put.run({
        importId,
        ...one,
        ...retracted,
        state: item.state,
        saved: item.state === 'nothing' ? 0 : item.saved,
        reason: failed ? item.reason : null,
        retryable: failed && item.retryable ? 1 : 0,
      });
    },
    get: (id) => {
      const row = byId.get(id);
      return row === undefined ? undefined : toImport(row);
    },
    list: () => all.all().map(toImport),
    failures: (id) => failures.all(id).map(({ retryable, ...rest }) => ({ ...rest, retryable: retryable === 1 })),
    clear: (id) => void clear.run(id),
    close: () => database.close(),
  };
}
