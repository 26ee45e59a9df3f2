import { ContextloomError } from '@contextloom/contracts';
import type BetterSqlite3 from 'better-sqlite3';

/** The SQL that takes a schema from one version to the next; the first makes version 1. Undefined for a step that is gone. */
export type Migration = string | undefined;

/** The migrations of a schema whose versions before this one are no longer opened: one step makes it in a new file. */
export function toBaseline(version: number, sql: string): readonly Migration[] {
  return [...Array.from({ length: version - 1 }, () => undefined), sql];
}

function schemaVersion(database: BetterSqlite3.Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/**
 * Brings the schema to the newest version, all in one transaction that only one process at a time can be in.
 * @throws ContextloomError `unavailable` when a newer program made the schema, or one that is too old
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
    // What made its version is gone, and so is the way on from there.
    if (found > 0 && migrations[found - 1] === undefined) throw tooOld(database, found, migrations);
    for (const sql of migrations.slice(found)) if (sql !== undefined) database.exec(sql);
    database.pragma(`user_version = ${wanted}`);
  });
  run.immediate();
}

function tooOld(database: BetterSqlite3.Database, found: number, migrations: readonly Migration[]): ContextloomError {
  const oldest = migrations.lastIndexOf(undefined) + 2;
  const message = `${database.name} has schema version ${found}, and this program opens versions from ${oldest}: make its data again`;
  return new ContextloomError('unavailable', message);
}
