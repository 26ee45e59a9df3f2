import { createPrepare, type Database, toVectorBlob } from '@contextloom/sqlite';
import type { ListPosition, Synchronous } from '../../domain/store.ts';
import type { FillingRecord } from './filling.ts';
import { createHeldFind } from './held-find.ts';
import { createKeywordSearch } from './keyword-search.ts';
import {
  CANDIDATE_COLUMNS,
  createToFound,
  DOCUMENT_COLUMNS,
  type DocumentRow,
  type FoundRow,
  toRecord,
  toStoredDocument,
} from './rows.ts';
import { type SqlPart, toListSql, toSelectionSql, toVisibilitySql } from './selection-sql.ts';
import { createSelector, type Selector } from './selector.ts';

type Reader = Synchronous<'read' | 'find' | 'list' | 'stats'>;

// The distance is computed over the picked rows alone: exact, and no nearer row of another user takes a place.
const NEAREST = `SELECT ${CANDIDATE_COLUMNS}, 1 - vec_distance_cosine(e.vector, ?) AS score
  FROM temp.picked p CROSS JOIN embeddings e ON e.doc = p.doc CROSS JOIN documents d ON d.doc = p.doc
  ORDER BY score DESC NULLS LAST, d.id LIMIT ?`;

function createFind(
  database: Database,
  selector: Selector,
  filling: FillingRecord,
  dimensions: number,
): Reader['find'] {
  const searchByWords = createKeywordSearch(database);
  const nearest = database.prepare<[Buffer, number], FoundRow>(NEAREST);
  return ({ tokens, vector }, selection, limit) => {
    filling.check();
    const picked = selector.pick(selection);
    const toFound = createToFound();
    return {
      byWords: searchByWords({ tokens, visible: selection.visible, picked, limit }, toFound),
      byVector: vector === undefined ? [] : nearest.all(toVectorBlob(vector, dimensions), limit).map(toFound),
    };
  };
}

function toAfterSql(after: ListPosition | undefined): SqlPart {
  if (after === undefined) return { sql: 'TRUE', params: [] };
  const importance = after.importance ?? Number.NEGATIVE_INFINITY;
  return {
    sql: '(d.importance < ? OR (d.importance = ? AND (d.time < ? OR (d.time = ? AND d.id > ?))))',
    params: [importance, importance, after.time, after.time, after.id],
  };
}

function createList(database: Database, { toSql }: Selector): Reader['list'] {
  const prepare = createPrepare(database);
  const count = ({ sql, params }: SqlPart): number =>
    prepare<number>(`SELECT count(*) FROM documents d WHERE ${sql}`)
      .pluck()
      .get(...params) ?? 0;
  return (selection, { limit, after }) => {
    const where = toSql(selection);
    const from = toAfterSql(after);
    const rows = prepare<DocumentRow>(
      `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE ${where.sql} AND ${from.sql}
         ORDER BY d.importance DESC, d.time DESC, d.id LIMIT ?`,
    ).all(...where.params, ...from.params, limit + 1);
    // All of them are at hand when they begin with the first and end before the page does.
    const total = after === undefined && rows.length <= limit ? rows.length : count(where);
    return { documents: rows.slice(0, limit).map(toStoredDocument), total, more: rows.length > limit };
  };
}

function createRead(database: Database): Reader['read'] {
  const prepare = createPrepare(database);
  return (ids, selection) => {
    const asked = toListSql(ids);
    const where = toSelectionSql(selection, 'by_row');
    return prepare<DocumentRow>(
      // CROSS JOIN goes by the ids; SQLite left to choose looks through all that the owner has.
      `SELECT ${DOCUMENT_COLUMNS} FROM documents asked CROSS JOIN documents d ON d.doc = asked.doc
         WHERE asked.id ${asked.sql} AND ${where.sql}`,
    )
      .all(...asked.params, ...where.params)
      .map(toRecord);
  };
}

function createStats(database: Database): Reader['stats'] {
  const prepare = createPrepare(database);
  return (visible) => {
    const { sql, params } = toVisibilitySql(visible);
    const count = (from: string): number =>
      prepare<number>(`SELECT count(*) FROM ${from} WHERE ${sql}`)
        .pluck()
        .get(...params) ?? 0;
    const tags = prepare<string>(`SELECT DISTINCT tag.value FROM documents d, json_each(d.tags) tag WHERE ${sql}`)
      .pluck()
      .all(...params);
    const vectors = count('documents d CROSS JOIN embeddings e ON e.doc = d.doc');
    return { documents: count('documents d'), vectors, tags: tags.sort() };
  };
}

/** From how many documents on, and up to how many bytes of them, a connection keeps in memory what searches read. */
export interface Holding {
  readonly fromRows: number;
  readonly maxBytes: number;
}

function createHoldingFind(
  database: Database,
  selector: Selector,
  filling: FillingRecord,
  { dimensions, ...holding }: Holding & { readonly dimensions: number },
): Reader['find'] {
  const find = createFind(database, selector, filling, dimensions);
  /** What the work gives; nothing without the memory for it, for one because the process may use few addresses. */
  const withMemory = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      findHeld = undefined; // All is read from the rows: what was put into memory half-way is not to be searched.
      return undefined;
    }
  };
  let findHeld: ReturnType<typeof createHeldFind> | undefined;
  findHeld = withMemory(() => createHeldFind(database, selector, { dimensions, ...holding }));
  return (query, selection, limit) => {
    filling.check();
    return withMemory(() => findHeld?.(query, selection, limit)) ?? find(query, selection, limit);
  };
}

/** Builds the reading half of the embedded store; each method sees one state of the store. */
export function createReader(
  database: Database,
  filling: FillingRecord,
  dimensions: number,
  holding?: Holding,
): Reader {
  const selector = createSelector(database);
  const find =
    holding === undefined
      ? createFind(database, selector, filling, dimensions)
      : createHoldingFind(database, selector, filling, { dimensions, ...holding });
  return {
    read: database.transaction(createRead(database)),
    find: database.transaction(find),
    list: database.transaction(createList(database, selector)),
    stats: database.transaction(createStats(database)),
  };
}
