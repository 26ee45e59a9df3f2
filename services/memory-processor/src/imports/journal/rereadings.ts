import { createHash } from 'node:crypto';
import { openDatabase } from '@contextloom/sqlite';
import { journalMigrations } from './journal.ts';

/** Keeps when each reading again began that is not done yet; durable once a method returns. */
export interface Rereadings {
  /** When it began, ISO 8601 UTC; undefined when none of this name is open. */
  readonly find: (name: string) => string | undefined;
  /** Opens one now, unless it is open already; answers when it began, ISO 8601 UTC. */
  readonly begin: (name: string) => string;
  readonly end: (name: string) => void;
  readonly close: () => void;
}

/** The name of a reading again: the same words of the command, read by the same reader, are one. No word of them can be read in it. */
export function toRereadingName(words: readonly (string | boolean | undefined)[]): string {
  return createHash('sha256')
    .update(JSON.stringify(words.map((word) => word ?? null)))
    .digest('hex')
    .slice(0, 32);
}

/** Opens those of a file, which is that of the journal of imports. */
export function openRereadings(file: string, clock: () => Date): Rereadings {
  const database = openDatabase({ file, migrations: journalMigrations });
  const find = database.prepare<[string], string>('SELECT started_at FROM rereadings WHERE name = ?').pluck();
  const begin = database.prepare(
    'INSERT INTO rereadings (name, started_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
  );
  const end = database.prepare('DELETE FROM rereadings WHERE name = ?');
  return {
    find: (name) => find.get(name),
    begin: (name) => {
      const now = clock().toISOString();
      begin.run(name, now);
      return find.get(name) ?? now;
    },
    end: (name) => void end.run(name),
    close: () => database.close(),
  };
}
