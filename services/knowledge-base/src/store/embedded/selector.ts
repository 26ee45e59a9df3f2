import { createPrepare, type Database, type Prepare } from '@contextloom/sqlite';
import type { Selection, Visibility } from '../../domain/store.ts';
import { type Lookup, type SqlPart, toSelectionSql, toVisibilitySql } from './selection-sql.ts';

/** Up to so many visible rows are each asked for their attributes. */
const MAX_ROWS_ASKED = 2_000;

function chooseLookup(prepare: Prepare, visible: Visibility): Lookup {
  if (visible.kind === 'everyone') return 'by_value';
  const { sql, params } = toVisibilitySql(visible);
  const count = prepare<number>(`SELECT count(*) FROM (SELECT 1 FROM documents d WHERE ${sql} LIMIT ?)`)
    .pluck()
    .get(...params, MAX_ROWS_ASKED + 1);
  return (count ?? 0) > MAX_ROWS_ASKED ? 'by_value' : 'by_row';
}

/** Finds the rows of selections. */
export interface Selector {
  /** The selection as a condition on `documents d`. */
  toSql(selection: Selection): SqlPart;
  /** Fills the connection's own table `picked (doc)` with the rows of the selection, and answers how many they are. */
  pick(selection: Selection): number;
}

/** Builds the selector of a connection. */
export function createSelector(database: Database): Selector {
  const prepare = createPrepare(database);
  database.pragma('temp_store = MEMORY');
  database.exec('CREATE TEMP TABLE picked (doc INTEGER PRIMARY KEY)');
  const toSql = (selection: Selection) => toSelectionSql(selection, chooseLookup(prepare, selection.visible));
  return {
    toSql,
    pick: (selection) => {
      const { sql, params } = toSql(selection);
      database.exec('DELETE FROM temp.picked');
      return prepare(`INSERT INTO temp.picked SELECT d.doc FROM documents d WHERE ${sql}`).run(...params).changes;
    },
  };
}
