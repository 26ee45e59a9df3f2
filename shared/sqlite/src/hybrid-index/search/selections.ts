import type { Database } from '../../database/open-database.ts';
import { createPrepare } from '../../database/statements.ts';

/** A statement, and the values of its parameters in order. */
export interface SqlPart {
  readonly sql: string;
  readonly params: readonly (string | number)[];
}

/** Fewer rows are read again each time: that takes less than a millisecond. */
const LEAST_ROWS = 1_000;
/** Most rows of all selections that are kept: 8 MiB. */
const MAX_ROWS = 2 ** 20;
/** UTF-16 units of the longest statement that is remembered with its values. */
const MAX_KEY = 10_000;

/**
 * Builds the reading of a selection's rows over a connection that writes nothing. Large ones are kept until another connection commits:
 * a user with many texts asks for the same rows in every search, and between two writes nothing changes.
 */
export function createReadSelection(database: Database): (selection: SqlPart) => readonly number[] {
  const prepare = createPrepare(database);
  const dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
  const selections = new Map<string, readonly number[]>();
  let [version, kept] = [dataVersion.get(), 0];
  /** As one JSON text: half the time of a value each. */
  const read = ({ sql, params }: SqlPart): readonly number[] => {
    const listed = prepare<string>(`WITH picked (row) AS (${sql}) SELECT json_group_array(row) FROM picked`).pluck();
    return JSON.parse(listed.get(...params) ?? '[]');
  };
  const keep = (key: string, rows: readonly number[]): void => {
    if (rows.length < LEAST_ROWS || rows.length > MAX_ROWS || key.length > MAX_KEY) return;
    for (const [oldest, { length }] of selections) {
      if (kept + rows.length <= MAX_ROWS) break;
      selections.delete(oldest);
      kept -= length;
    }
    selections.set(key, rows);
    kept += rows.length;
  };
  return (selection) => {
    const current = dataVersion.get();
    if (current !== version) {
      selections.clear();
      [version, kept] = [current, 0];
    }
    const key = JSON.stringify([selection.sql, selection.params]);
    const known = selections.get(key);
    if (known !== undefined) return known;
    const rows = read(selection);
    keep(key, rows);
    return rows;
  };
}
