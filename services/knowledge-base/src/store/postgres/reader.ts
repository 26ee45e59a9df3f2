import type { ContextloomError } from '@contextloom/contracts';
import { fromPostgresText, toPostgresText, type Value } from '@contextloom/postgres';
import type { AttributeCondition } from '@contextloom/retrieval/filter';
import { createEntrySearch, type EntryRow, type HybridHit, toVectorBlob } from '@contextloom/sqlite';
import { sortKeys } from '../../domain/documents/order.ts';
import type { DocumentStore, Hit, OwnerCount, Selection, Visibility } from '../../domain/store.ts';
import { comparisons, type StatementPart, toConditionSql } from '../sql/conditions.ts';
import { inRange, toAfterSql, toOrderSql } from '../sql/listing.ts';
import {
  CANDIDATE_COLUMNS,
  type CandidateRow,
  DOCUMENT_COLUMNS,
  type DocumentRow,
  toCandidate,
  toStoredDocument,
} from '../sql/rows.ts';
import type { DocumentDatabase } from './database.ts';
import { ENTRY_COLUMNS, toGiven, toGivenDocument, toGivenRecord } from './rows.ts';
import { ENDING, RETRACTED } from './schema.ts';
import { toJsonb } from './text.ts';
import type { Transaction } from './transaction.ts';

/** The number that an attribute has. Names have the type of their values in them: what is compared as a number is one. */
const toNumberSql = (attribute: string): StatementPart<Value> =>
  attribute === ENDING
    ? { sql: 'd.forget_at', params: [] }
    : { sql: '(d.attributes ->> ?::text)::float8', params: [toPostgresText(attribute)] };

function toAttributeSql(condition: AttributeCondition): StatementPart<Value> {
  if (!('values' in condition)) {
    const { sql, params } = toNumberSql(condition.attribute);
    const comparison = (by: string) => ({ sql: `(${sql} ${by} ?::float8)`, params: [...params, condition.value] });
    if (condition.test !== 'not_lte') return comparison(comparisons[condition.test]);
    const ended = comparison('<=');
    return { ...ended, sql: `${ended.sql} IS NOT TRUE` };
  }
  if (condition.attribute === RETRACTED && condition.values.every((value) => value === true)) {
    return { sql: condition.test === 'in' ? 'd.is_retraction' : 'NOT d.is_retraction', params: [] };
  }
  const name = toPostgresText(condition.attribute);
  const sql = `(d.attributes -> ?::text) = ANY (?::jsonb[])`;
  return {
    sql: condition.test === 'not_in' ? `(${sql}) IS NOT TRUE` : sql,
    params: [name, condition.values.map(toJsonb)],
  };
}

/** The condition on `documents d` that a call may see a row. */
function toVisibilitySql(visible: Visibility): StatementPart<Value> {
  if (visible.kind === 'everyone') return { sql: 'TRUE', params: [] };
  return { sql: 'd.owner = ANY (?::text[])', params: [visible.owners.map(toPostgresText)] };
}

/** The condition on `documents d` that a row is in the selection. */
function toSelectionSql({ visible, condition }: Selection): StatementPart<Value> {
  const parts = [toVisibilitySql(visible), toConditionSql(condition, toAttributeSql)];
  return { sql: parts.map(({ sql }) => sql).join(' AND '), params: parts.flatMap(({ params }) => params) };
}

/** What reading works with. */
export interface ReaderOptions {
  readonly database: DocumentDatabase;
  readonly dimensions: number;
  readonly cacheBytes: number;
  /** Why an index may not be searched; undefined where it may. */
  readonly toRefusal: (fingerprint: string) => ContextloomError | undefined;
}

interface Picked {
  readonly docs: readonly number[];
  readonly entries: readonly number[];
}

/** The rows of a selection, and the numbers of their entries in the same order. */
async function readSelection({ query }: Transaction, selection: Selection): Promise<Picked> {
  const where = toSelectionSql(selection);
  const picked = `SELECT d.doc, d.entry FROM documents d WHERE ${where.sql}`;
  const [rows] = await query<Picked>(
    `SELECT coalesce(json_agg(p.doc), '[]') AS docs, coalesce(json_agg(p.entry), '[]') AS entries FROM (${picked}) p`,
    where.params,
  );
  return rows ?? { docs: [], entries: [] };
}

function createFind({ database, dimensions, cacheBytes, toRefusal }: ReaderOptions): DocumentStore['find'] {
  const entries = createEntrySearch(cacheBytes, dimensions);
  return ({ tokens, vector }, selection, limit) =>
    database.read(selection.visible, async (sql) => {
      const refusal = toRefusal(sql.fingerprint);
      if (refusal !== undefined) throw refusal;
      if (vector !== undefined) toVectorBlob(vector, dimensions); // Refuses one of other dimensions.
      const picked = await readSelection(sql, selection);
      const docOf = new Map(picked.entries.map((entry, at) => [entry, picked.docs[at] ?? 0]));
      const toDocs = (rows: readonly number[]): readonly number[] => rows.map((row) => docOf.get(row) ?? 0);
      const best = await entries.search(picked.entries, { tokens, vector }, limit, (rows) =>
        sql.query<EntryRow>(`SELECT ${ENTRY_COLUMNS} FROM documents d WHERE d.doc = ANY (?::bigint[])`, [toDocs(rows)]),
      );
      const found = await sql.query<CandidateRow & { readonly entry: number }>(
        `SELECT ${CANDIDATE_COLUMNS}, d.entry FROM documents d WHERE d.doc = ANY (?::bigint[])`,
        [toDocs(best.rows)],
      );
      const candidates = new Map(found.map((row) => [row.entry, toCandidate(toGiven(row))]));
      const hits = best.toHits(new Map(Array.from(candidates, ([entry, { id }]) => [entry, id])));
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
    });
}

function createList({ database }: ReaderOptions): DocumentStore['list'] {
  return (selection, { limit, after, sort = 'relevance', range }) =>
    database.read(selection.visible, async ({ query }) => {
      const where = inRange(toSelectionSql(selection), range);
      const keys = sortKeys[sort];
      const from = toAfterSql(after && { ...after, id: toPostgresText(after.id) }, keys);
      const rows = await query<DocumentRow>(
        `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE ${where.sql} AND ${from.sql} ORDER BY ${toOrderSql(keys)} LIMIT ?`,
        [...where.params, ...from.params, limit + 1],
      );
      const documents = rows.slice(0, limit).map((row) => toStoredDocument(toGivenDocument(row)));
      const more = rows.length > limit;
      if (after?.total !== undefined) return { documents, total: after.total, more };
      // A first page that has room left is all there is.
      if (after === undefined && !more) return { documents, total: rows.length, more };
      const [counted] = await query<{ count: number }>(
        `SELECT count(*) AS count FROM documents d WHERE ${where.sql}`,
        where.params,
      );
      return { documents, total: counted?.count ?? 0, more };
    });
}

function createRead({ database }: ReaderOptions): DocumentStore['read'] {
  return (ids, selection) =>
    database.read(selection.visible, async ({ query }) => {
      const where = toSelectionSql(selection);
      const rows = await query<DocumentRow>(
        `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.id = ANY (?::text[]) AND ${where.sql}`,
        [ids.map(toPostgresText), ...where.params],
      );
      return rows.map(toGivenRecord);
    });
}

const TAG = 'tag:';

function createStats({ database }: ReaderOptions): DocumentStore['stats'] {
  return (visible) =>
    database.read(visible, async ({ query }) => {
      const { sql, params } = toVisibilitySql(visible);
      const [counted] = await query<{ documents: number; vectors: number }>(
        `SELECT count(*) AS documents, count(d.vector) AS vectors FROM documents d WHERE ${sql}`,
        params,
      );
      const names = await query<{ name: string }>(
        `SELECT DISTINCT name FROM documents d, jsonb_object_keys(d.attributes) name
         WHERE ${sql} AND starts_with(name, '${TAG}')`,
        params,
      );
      const tags = names.map(({ name }) => fromPostgresText(name.slice(TAG.length))).sort();
      return { documents: counted?.documents ?? 0, vectors: counted?.vectors ?? 0, tags };
    });
}

function createOwners({ database }: ReaderOptions): DocumentStore['owners'] {
  return () =>
    database.read({ kind: 'everyone' }, async ({ query }) => {
      const counts = await query<OwnerCount>('SELECT owner, count(*) AS documents FROM documents GROUP BY owner', []);
      return counts.map(({ owner, documents }) => ({ owner: fromPostgresText(owner), documents }));
    });
}

/** Builds the reading half of the store in Postgres. */
export function createReader(
  options: ReaderOptions,
): Pick<DocumentStore, 'read' | 'find' | 'list' | 'stats' | 'owners'> {
  return {
    read: createRead(options),
    find: createFind(options),
    list: createList(options),
    stats: createStats(options),
    owners: createOwners(options),
  };
}
