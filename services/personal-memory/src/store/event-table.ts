import type { EventType } from '@contextloom/contracts/personal-memory';
import { createPrepare, type Database, parseStoredJson, type SqlPart } from '@contextloom/sqlite';
import type { MemoryEvent } from '../domain/model.ts';
import { CHANGED_KEY } from '../domain/profile/profile-changes.ts';
import type { EventFilter, Page } from '../domain/store.ts';
import { joinConditions, toTagged } from './change-filter.ts';
import { createNextNumber } from './schema.ts';

interface EventRow {
  readonly id: number;
  readonly event_type: EventType;
  readonly description: string;
  readonly entity_ids: string;
  readonly metadata: string;
  readonly tags: string;
  readonly timestamp: number;
  readonly importance: number;
  readonly parent_event_id: number | null;
}

function toEvent({ id, event_type, description, importance, ...row }: EventRow): MemoryEvent {
  return {
    id,
    type: event_type,
    description,
    entityIds: parseStoredJson(row.entity_ids),
    metadata: parseStoredJson(row.metadata),
    tags: parseStoredJson(row.tags),
    time: row.timestamp,
    importance,
    parentId: row.parent_event_id,
  };
}

/** The condition that a user's events meet under a filter. */
function toWhere(
  user: string,
  { type, range, entityId, entityIds, ids, before, tag, withoutTag }: EventFilter,
): SqlPart {
  const parts: SqlPart[] = [{ sql: 'e.user_id = ?', params: [user] }];
  if (type !== undefined) parts.push({ sql: 'e.event_type = ?', params: [type] });
  if (range !== undefined && Number.isFinite(range.from)) parts.push({ sql: 'e.timestamp >= ?', params: [range.from] });
  if (range !== undefined && Number.isFinite(range.to)) parts.push({ sql: 'e.timestamp < ?', params: [range.to] });
  for (const wanted of [entityId === undefined ? undefined : [entityId], entityIds]) {
    if (wanted !== undefined) parts.push(toAbout(user, wanted));
  }
  if (ids !== undefined) {
    parts.push({ sql: 'e.number IN (SELECT value FROM json_each(?))', params: [JSON.stringify(ids)] });
  }
  if (before !== undefined) {
    const sql = 'e.timestamp <= ? AND (e.timestamp < ? OR e.number < ?)';
    parts.push({ sql, params: [before.time, before.time, before.id] });
  }
  if (tag !== undefined) parts.push(toTagged(tag, 'e.tags'));
  if (withoutTag !== undefined) {
    const { sql, params } = toTagged(withoutTag, 'e.tags');
    parts.push({ sql: `NOT ${sql}`, params });
  }
  return joinConditions(parts);
}

/** The condition that an event is about one of some entities. */
function toAbout(user: string, entityIds: readonly number[]): SqlPart {
  return {
    sql: `e.id IN (SELECT l.event_id FROM entities n JOIN event_entities l ON l.entity_id = n.id
      WHERE n.user_id = ? AND n.number IN (SELECT value FROM json_each(?)))`,
    params: [user, JSON.stringify(entityIds)],
  };
}

/** The rows of a user's events under a filter, for a search among them. */
export function toEventSelection(user: string, filter: EventFilter): SqlPart {
  const { sql, params } = toWhere(user, filter);
  return { sql: `SELECT e.id FROM events e WHERE ${sql}`, params };
}

const columns = `e.number AS id, e.event_type, e.description, e.metadata, e.tags, e.timestamp, e.importance,
  (SELECT p.number FROM events p WHERE p.id = e.parent_event_id) AS parent_event_id,
  (SELECT json_group_array(number) FROM (SELECT n.number FROM event_entities l JOIN entities n ON n.id = l.entity_id
    WHERE l.event_id = e.id ORDER BY l.position)) AS entity_ids`;

/** The events of users in one database. */
export function createEventTable(database: Database) {
  const prepare = createPrepare(database);
  const add = database.prepare(
    `INSERT INTO events (user_id, own_number, event_type, description, timestamp, metadata, tags, importance, parent_event_id,
       created_at)
     VALUES (@user, @number, @type, @description, @time, @metadata, @tags, @importance,
       (SELECT id FROM events WHERE user_id = @user AND number = @parentId), @createdAt)`,
  );
  const change = database.prepare<object, { id: number }>(
    `UPDATE events SET event_type = @type, description = @description, timestamp = @time, metadata = @metadata, tags = @tags,
       importance = @importance WHERE user_id = @user AND number = @id RETURNING id`,
  );
  const unlink = database.prepare<[number]>('DELETE FROM event_entities WHERE event_id = ?');
  const nextNumber = createNextNumber(database, 'events');
  const link = database.prepare<[number, number, string, number]>(
    'INSERT INTO event_entities SELECT ?, id, ? FROM entities WHERE user_id = ? AND number = ?',
  );
  const remove = database.prepare<[number, string]>('DELETE FROM events WHERE number = ? AND user_id = ?');
  const removeChanges = database.prepare<[string, string]>(
    `DELETE FROM events WHERE user_id = ? AND event_type = 'other' AND json_extract(metadata, '$.${CHANGED_KEY}') = ?`,
  );
  const numbersOf = database.prepare<[string, string], { id: number; number: number }>(
    'SELECT id, number FROM events WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))',
  );
  const lastEvents = database.prepare<[string, number], { entity_id: number; last: number }>(
    `SELECT n.number AS entity_id, max(e.timestamp) AS last FROM entities n JOIN event_entities l ON l.entity_id = n.id
     JOIN events e ON e.id = l.event_id WHERE n.user_id = ? AND e.timestamp <= ? GROUP BY l.entity_id`,
  );
  const linkAll = (row: number, user: string, entityIds: readonly number[]): void => {
    entityIds.forEach((entityId, position) => {
      link.run(row, position, user, entityId);
    });
  };
  return {
    list: (user: string, filter: EventFilter = {}, { limit = -1, offset = 0 }: Page = {}): readonly MemoryEvent[] => {
      const { sql, params } = toWhere(user, filter);
      const ordered = `SELECT ${columns} FROM events e WHERE ${sql} ORDER BY e.timestamp DESC, e.id DESC LIMIT ? OFFSET ?`;
      return prepare<EventRow>(ordered)
        .all(...params, limit, offset)
        .map(toEvent);
    },
    /** Its row, for the index, and its number: its own, if that is free. */
    add: (
      user: string,
      event: Omit<MemoryEvent, 'id'> & { readonly id?: number | undefined },
      createdAt: number,
    ): { row: number; id: number } => {
      const { id: ownId, entityIds, metadata, tags, ...own } = event;
      const id = nextNumber(user, ownId);
      const texts = { metadata: JSON.stringify(metadata), tags: JSON.stringify(tags) };
      const row = Number(add.run({ ...own, ...texts, user, number: id, createdAt }).lastInsertRowid);
      linkAll(row, user, entityIds);
      return { row, id };
    },
    /** Its row, for the index; undefined for an unknown event. */
    put: (user: string, { entityIds, metadata, tags, parentId: _kept, ...own }: MemoryEvent): number | undefined => {
      const texts = { metadata: JSON.stringify(metadata), tags: JSON.stringify(tags) };
      const row = change.get({ ...own, ...texts, user })?.id;
      if (row === undefined) return undefined;
      unlink.run(row);
      linkAll(row, user, entityIds);
      return row;
    },
    /** The numbers of rows. */
    numbersOf: (user: string, rows: readonly number[]): ReadonlyMap<number, number> =>
      new Map(numbersOf.all(user, JSON.stringify(rows)).map(({ id, number }) => [id, number])),
    removeChanges: (user: string, key: string): void => void removeChanges.run(user, key),
    remove: (user: string, id: number): boolean => remove.run(id, user).changes > 0,
    lastEvents: (user: string, until: number): ReadonlyMap<number, number> =>
      new Map(lastEvents.all(user, until).map(({ entity_id, last }) => [entity_id, last])),
  };
}
