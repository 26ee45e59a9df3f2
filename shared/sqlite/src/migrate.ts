import { ContextloomError } from '@contextloom/contracts';
import type BetterSqlite3 from 'better-sqlite3';

/** The SQL that takes a schema from one version to the next; the first makes version 1. */
export type Migration = string;

function schemaVersion(database: BetterSqlite3.Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/**
 * Brings the schema to the newest version, all in one transaction that only one process at a time can be in.
 * @throws ContextloomError `unavailable` when a newer program made the schema
 */
export function migrate(database: BetterSqlite3.Database, migrations: readonly Migration[]): void {
  const wanted = migrations.length;
  if (schemaVersion(database) === wanted) return;
  const run = database.transaction(() => {
    const found = schemaVersion(database);
    if (found > wanted) {
      throw new ContextloomError(
        'unavailable',
        `${database.name} has schema version ${found}, and this program knows versions up to ${wanted}: use the newer program that made it`,
      );
    }
    for (const sql of migrations.slice(found)) database.exec(sql);
    database.pragma(`user_version = ${wanted}`);
  });
  run.immediate();
}
