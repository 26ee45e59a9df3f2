import { statSync } from 'node:fs';
import { ContextloomError } from '@contextloom/contracts';
import { categories, entityTypes, eventTypes } from '@contextloom/contracts/personal-memory';
import { parseTimestamp } from '@contextloom/retrieval/filter';
import { type Database, openReadOnly, sqliteCode, withStorageErrors } from '@contextloom/sqlite';
import { type ParsedDocument, parseDocument } from '../domain/transfer/document.ts';

type Row = Readonly<Record<string, unknown>>;

const TABLES = ['user_profile', 'entities', 'events'] as const;
/** A table that this server's databases have and the reference program's do not. */
const OWN_TABLE = 'event_entities';

/** A value of JSON in a text column; what cannot be read counts as absent. */
function fromJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function toObject(text: unknown): object {
  const value = fromJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function toList(text: unknown): readonly unknown[] {
  const value = fromJson(text);
  return Array.isArray(value) ? value : [];
}

/** A time as SQLite's CURRENT_TIMESTAMP or ISO 8601, both UTC without a zone; the beginning of 1970 for any other. */
function toTime(text: unknown): string {
  return new Date(typeof text === 'string' ? (parseTimestamp(text) ?? 0) : 0).toISOString();
}

function oneOf<T extends string>(values: readonly T[], value: unknown, otherwise: T | null): T | null {
  return values.find((known) => known === value) ?? otherwise;
}

function toProfile(row: Row) {
  const { key, value, confidence } = row;
  return {
    key,
    value,
    confidence: confidence ?? 1,
    category: oneOf(categories, row['category'], null),
    tags: toList(row['tags']),
    updated_at: toTime(row['updated_at']),
  };
}

function toEntity(row: Row, number: number) {
  return {
    entity: number,
    entity_type: oneOf(entityTypes, row['entity_type'], 'other'),
    name: typeof row['name'] === 'string' && row['name'].trim() !== '' ? row['name'] : null,
    attributes: toObject(row['attributes']),
    tags: toList(row['tags']),
    status: row['status'] === 'inactive' ? 'inactive' : 'active',
    created_at: toTime(row['created_at']),
    updated_at: toTime(row['updated_at']),
  };
}

function toEvent(
  row: Row,
  number: number,
  entityNumbers: ReadonlyMap<unknown, number>,
  earlier: ReadonlyMap<unknown, number>,
) {
  return {
    event: number,
    event_type: oneOf(eventTypes, row['event_type'], 'other'),
    description: row['description'],
    entities: [...new Set(toList(row['related_entity_ids']).flatMap((id) => entityNumbers.get(id) ?? []))],
    metadata: toObject(row['metadata']),
    tags: toList(row['tags']),
    timestamp: toTime(row['timestamp']),
    importance: row['importance'] ?? 0.5,
    parent: earlier.get(row['parent_event_id']) ?? null,
  };
}

function toRelation(row: Row, entityNumbers: ReadonlyMap<unknown, number>) {
  const [first, second] = [entityNumbers.get(row['entity_id_1']), entityNumbers.get(row['entity_id_2'])];
  if (first === undefined || second === undefined || first === second) return [];
  const relation = { entity_1: first, entity_2: second, relation_type: row['relation_type'] };
  return [{ ...relation, metadata: toObject(row['metadata']), created_at: toTime(row['created_at']) }];
}

/** Reads the rows of a user; without the table, none. */
function createRows(database: Database) {
  const tables = new Set(database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all());
  return {
    has: (table: string): boolean => tables.has(table),
    of: (table: string, user: string): readonly Row[] =>
      tables.has(table)
        ? database.prepare<[string], Row>(`SELECT * FROM ${table} WHERE user_id = ? ORDER BY rowid`).all(user)
        : [],
  };
}

function toUserDocument(rows: ReturnType<typeof createRows>, user: string): object {
  const entityRows = rows.of('entities', user);
  const eventRows = rows.of('events', user);
  const entityNumbers = new Map(entityRows.map(({ id }, at) => [id, at + 1]));
  const earlier = new Map<unknown, number>();
  const events = eventRows.map((row, at) => {
    const event = toEvent(row, at + 1, entityNumbers, earlier);
    earlier.set(row['id'], at + 1);
    return event;
  });
  return {
    format: 'contextloom-personal-memory',
    version: 1,
    profile: rows.of('user_profile', user).map(toProfile),
    entities: entityRows.map((row, at) => toEntity(row, at + 1)),
    relations: rows.of('entity_relations', user).flatMap((row) => toRelation(row, entityNumbers)),
    events,
  };
}

function isReferenceDatabase(file: string, cipherKey: string | undefined): boolean {
  const database = openReadOnly(file, { cipherKey });
  try {
    const rows = createRows(database);
    return TABLES.every(rows.has) && !rows.has(OWN_TABLE);
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return false; // Damaged or encrypted: opening it for use reports that.
  } finally {
    database.close();
  }
}

/**
 * Refuses to take a database of the reference program for one of this server, before anything of it is changed.
 * @throws ContextloomError `invalid`, with the way to import it
 */
export function refuseReferenceDatabase(file: string, cipherKey: string | undefined): void {
  if (statSync(file, { throwIfNoEntry: false })?.size && isReferenceDatabase(file, cipherKey)) {
    const message = `${file} is a database of the reference program: start with another --db-path and --import ${file}, which leaves it as it is (with --multi-user for all of its users)`;
    throw new ContextloomError('invalid', message, { field: 'db-path' });
  }
}

/** The documents of all users, still to be parsed. */
function readUserDocuments(file: string): readonly (readonly [string, object])[] {
  const refuse = (problem: string) => new ContextloomError('invalid', `${file} ${problem}`);
  const database = openReadOnly(file);
  try {
    return withStorageErrors(() => {
      const rows = createRows(database);
      const missing = TABLES.find((table) => !rows.has(table));
      if (missing !== undefined) {
        throw refuse(`has no table ${missing}: it is not a database of the reference program`);
      }
      if (rows.has(OWN_TABLE)) {
        throw refuse(
          'is a database of this server: --restore puts it back, --export from it makes a file for --import',
        );
      }
      const union = TABLES.map((table) => `SELECT user_id FROM ${table}`).join(' UNION ');
      const users = database.prepare<[], string>(`${union} ORDER BY user_id`).pluck().all();
      return users.map((user) => [user, toUserDocument(rows, user)] as const);
    });
  } finally {
    database.close();
  }
}

/**
 * Reads a database of the reference program, each user's memory as a document. Unknown types and categories
 * become `other` and null; relations of an entity to itself are left out.
 * @throws ContextloomError `invalid` for another database, `unavailable` for a file that is not a database
 */
export async function readReferenceDatabase(file: string): Promise<ReadonlyMap<string, ParsedDocument>> {
  const documents = new Map<string, ParsedDocument>();
  for (const [user, document] of readUserDocuments(file)) {
    documents.set(user, await parseDocument(document, `user ${user}`));
  }
  return documents;
}
