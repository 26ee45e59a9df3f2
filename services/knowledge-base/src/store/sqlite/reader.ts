import { allOf, type RowCondition } from '@contextloom/retrieval/filter';
import type { HybridHit, HybridIndex, Reading, SqlPart } from '@contextloom/sqlite';
import { sortKeys } from '../../domain/documents/order.ts';
import type { DocumentStore, Hit, OwnerCount, Selection, Visibility } from '../../domain/store.ts';
import { inRange, toAfterSql, toOrderSql } from '../sql/listing.ts';
import {
  CANDIDATE_COLUMNS,
  type CandidateRow,
  DOCUMENT_COLUMNS,
  type DocumentRow,
  toCandidate,
  toRecord,
  toStoredDocument,
} from '../sql/rows.ts';
import { INDEXED } from './schema.ts';
import {
  toListSql,
  toNeeded,
  toRowsExcepted,
  toRowsOfValues,
  toSelectionSql,
  toSelectionSqlFrom,
  toVisibilitySql,
} from './selection-sql.ts';

/** Up to so many rows, visible ones or such as have a value, are each checked for the rest of a condition. */
const MAX_ROWS_ASKED = 2_000;

interface CountRow {
  readonly count: number;
}

/** A selection as a condition on `documents d`, and how many rows there are to look through, as far as that was counted. */
interface SelectionPart extends SqlPart {
  readonly rows: number;
}

/** The rows of one statement, which has these columns. */
async function readRows<Row>(reading: Reading, statement: SqlPart, rows: number): Promise<readonly Row[]> {
  const [found] = (await reading.read([statement], rows)) as readonly [readonly Row[]];
  return found;
}

function createToSelectionPart(reading: Reading) {
  /** The first attribute that a row of the condition needs and that few rows have, whoever they belong to. */
  const findRare = async (condition: Selection['condition']) => {
    for (const needed of toNeeded(condition)) {
      const rows = await reading.count(toRowsOfValues(needed), MAX_ROWS_ASKED + 1);
      if (rows <= MAX_ROWS_ASKED) return { needed, rows };
    }
    return undefined;
  };
  return async (selection: Selection): Promise<SelectionPart> => {
    const { visible, condition } = selection;
    const visibility = toVisibilitySql(visible);
    const query = { ...visibility, sql: `SELECT 1 FROM documents d WHERE ${visibility.sql}` };
    const rows = await reading.count(query, MAX_ROWS_ASKED + 1);
    if (visible.kind === 'owners' && rows <= MAX_ROWS_ASKED) return { ...toSelectionSql(selection, 'by_row'), rows };
    const rare = await findRare(condition);
    if (rare !== undefined) return { ...toSelectionSqlFrom(selection, rare.needed), rows: rare.rows };
    return { ...toSelectionSql(selection, 'by_value'), rows };
  };
}

/** A selection without exceptions that no row is: asking each row whether it is one takes as long as all the rest. */
async function withoutIdleExceptions(selection: Selection, reading: Reading): Promise<Selection> {
  const { condition } = selection;
  const needed: RowCondition[] = [];
  for (const part of condition.test === 'and' ? condition.conditions : [condition]) {
    if (part.test !== 'not_lte' || (await reading.count(toRowsExcepted(part), 1)) > 0) needed.push(part);
  }
  return { ...selection, condition: allOf(needed) };
}

type ToSelectionPart = ReturnType<typeof createToSelectionPart>;

function createFind(reading: Reading, index: HybridIndex, toPart: ToSelectionPart): DocumentStore['find'] {
  /** The candidates of rows that are still in the selection: another call may have changed one since it was found. */
  const readCandidates = async (hits: readonly HybridHit[], selection: Selection) => {
    const where = toSelectionSql(selection, 'by_row');
    const sql = `SELECT ${CANDIDATE_COLUMNS} FROM json_each(?) asked
      CROSS JOIN documents d ON d.doc = asked.value WHERE ${where.sql}`;
    const requested = JSON.stringify([...new Set(hits.map(({ row }) => row))]);
    const rows = await readRows<CandidateRow>(reading, { sql, params: [requested, ...where.params] }, 0);
    return new Map(rows.map((row) => [row.doc, toCandidate(row)]));
  };
  return async ({ tokens, vector }, requested, limit) => {
    const selection = await withoutIdleExceptions(requested, reading);
    const { sql, params, rows } = await toPart(selection);
    const picked = { sql: `SELECT d.doc FROM documents d WHERE ${sql}`, params };
    const hits = await index.search({ tokens, vector, selection: picked, limit }, rows);
    const candidates = await readCandidates([...hits.byWords, ...hits.byVector], selection);
    const toFound = (
      list: readonly HybridHit[],
      toScores: (hit: HybridHit) => Omit<Hit, 'candidate'>,
    ): readonly Hit[] =>
      list.flatMap((hit) => {
        const candidate = candidates.get(hit.row);
        return candidate === undefined ? [] : [{ candidate, ...toScores(hit) }];
      });
    return {
      byWords: toFound(hits.byWords, ({ words, vector: cosine }) => ({ score: words, other: cosine })),
      byVector: toFound(hits.byVector, ({ words, vector: cosine }) => ({ score: cosine, other: words })),
    };
  };
}

function createList(reading: Reading, toPart: ToSelectionPart): DocumentStore['list'] {
  return async (selection, { limit, after, sort = 'relevance', range }) => {
    const where = inRange(await toPart(await withoutIdleExceptions(selection, reading)), range);
    const keys = sortKeys[sort];
    const from = toAfterSql(after, keys);
    const page = {
      sql: `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE ${where.sql} AND ${from.sql}
        ORDER BY ${toOrderSql(keys)} LIMIT ?`,
      params: [...where.params, ...from.params, limit + 1],
    };
    const counting = { sql: `SELECT count(*) AS count FROM documents d WHERE ${where.sql}`, params: where.params };
    const read = await reading.read(after?.total === undefined ? [page, counting] : [page], where.rows);
    const [rows, counted] = read as readonly [readonly DocumentRow[], (readonly [CountRow])?];
    const documents = rows.slice(0, limit).map(toStoredDocument);
    return { documents, total: counted?.[0].count ?? after?.total ?? 0, more: rows.length > limit };
  };
}

function createRead(reading: Reading): DocumentStore['read'] {
  return async (ids, selection) => {
    const requested = toListSql(ids);
    const where = toSelectionSql(selection, 'by_row');
    // CROSS JOIN goes by the ids; SQLite left to choose looks through all that the owner has.
    const sql = `SELECT ${DOCUMENT_COLUMNS} FROM documents asked CROSS JOIN documents d ON d.doc = asked.doc
      WHERE asked.id ${requested.sql} AND ${where.sql}`;
    const rows = await readRows<DocumentRow>(reading, { sql, params: [...requested.params, ...where.params] }, 0);
    return rows.map(toRecord);
  };
}

function createStats(reading: Reading, toPart: ToSelectionPart): DocumentStore['stats'] {
  return async (visible: Visibility) => {
    const { sql, params, rows } = await toPart({ visible, condition: { test: 'always' } });
    const count = (from: string): SqlPart => ({ sql: `SELECT count(*) AS count FROM ${from} WHERE ${sql}`, params });
    const countWithVectors = (where: SqlPart): SqlPart => ({
      sql: `SELECT count(*) AS count FROM documents d WHERE ${where.sql}
        AND EXISTS (SELECT 1 FROM ${INDEXED.name}_entries e WHERE e.row = d.doc AND e.vector IS NOT NULL)`,
      params: where.params,
    });
    const tags = `SELECT DISTINCT tag.value AS tag FROM documents d, json_each(d.tags) tag WHERE ${sql}`;
    const statements = [count('documents d'), countWithVectors({ sql, params }), { sql: tags, params }];
    const [[documents], [vectors], found] = (await reading.read(statements, rows)) as readonly [
      readonly [CountRow],
      readonly [CountRow],
      readonly { readonly tag: string }[],
    ];
    return { documents: documents.count, vectors: vectors.count, tags: found.map(({ tag }) => tag).sort() };
  };
}

const OWNERS = { sql: 'SELECT owner, count(*) AS documents FROM documents GROUP BY owner', params: [] };

/** Builds the reading half of the embedded store. */
export function createReader(
  reading: Reading,
  index: HybridIndex,
): Pick<DocumentStore, 'read' | 'find' | 'list' | 'stats' | 'owners'> {
  const toPart = createToSelectionPart(reading);
  return {
    read: createRead(reading),
    find: createFind(reading, index, toPart),
    list: createList(reading, toPart),
    stats: createStats(reading, toPart),
    owners: () => readRows<OwnerCount>(reading, OWNERS, Number.POSITIVE_INFINITY),
  };
}
