import { createPrepare, type Database, parseStoredJson, type SqlPart } from '@contextloom/sqlite';
import type { EventType, MemoryEvent } from '../domain/model.ts';
import type { EventFilter } from '../domain/store.ts';

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
function toWhere(user: string, { type, range, entityId, ids }: EventFilter): SqlPart {
  const parts: SqlPart[] = [{ sql: 'e.user_id = ?', params: [user] }];
  if (type !== undefined) parts.push({ sql: 'e.event_type = ?', params: [type] });
  if (range !== undefined && Number.isFinite(range.from)) parts.push({ sql: 'e.timestamp >= ?', params: [range.from] });
  if (range !== undefined && Number.isFinite(range.to)) parts.push({ sql: 'e.timestamp < ?', params: [range.to] });
  if (entityId !== undefined) {
    parts.push({ sql: 'e.id IN (SELECT event_id FROM event_entities WHERE entity_id = ?)', params: [entityId] });
  }
  if (ids !== undefined) {
    parts.push({ sql: 'e.id IN (SELECT value FROM json_each(?))', params: [JSON.stringify(ids)] });
  }
  return { sql: parts.map(({ sql }) => sql).join(' AND '), params: parts.flatMap(({ params }) => params) };
}

/** The rows of a user's events under a filter, for a search among them. */
export function toEventSelection(user: string, filter: EventFilter): SqlPart {
  const { sql, params } = toWhere(user, filter);
  return { sql: `SELECT e.id FROM events e WHERE ${sql}`, params };
}

const columns = `e.id, e.event_type, e.description, e.metadata, e.tags, e.timestamp, e.importance, e.parent_event_id,
  (SELECT json_group_array(entity_id) FROM (SELECT entity_id FROM event_entities WHERE event_id = e.id ORDER BY position))
  AS entity_ids`;

/** The events of users in one database. */
export function createEventTable(database: Database) {
  const prepare = createPrepare(database);
  const add = database.prepare(
    `INSERT INTO events (user_id, event_type, description, timestamp, metadata, tags, importance, parent_event_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const link = database.prepare<[number, number, number]>('INSERT INTO event_entities VALUES (?, ?, ?)');
  const remove = database.prepare<[number, string]>('DELETE FROM events WHERE id = ? AND user_id = ?');
  const lastEvents = database.prepare<[string, number], { entity_id: number; last: number }>(
    `SELECT l.entity_id, max(e.timestamp) AS last FROM entities n JOIN event_entities l ON l.entity_id = n.id
     JOIN events e ON e.id = l.event_id WHERE n.user_id = ? AND e.timestamp <= ? GROUP BY l.entity_id`,
  );
  return {
    list: (user: string, filter: EventFilter = {}, limit = -1): readonly MemoryEvent[] => {
      const { sql, params } = toWhere(user, filter);
      const ordered = `SELECT ${columns} FROM events e WHERE ${sql} ORDER BY e.timestamp DESC, e.id DESC LIMIT ?`;
      return prepare<EventRow>(ordered)
        .all(...params, limit)
        .map(toEvent);
    },
    add: (user: string, event: Omit<MemoryEvent, 'id'>, createdAt: number): number => {
      const { type, description, time, metadata, tags, importance, parentId } = event;
      const texts = [JSON.stringify(metadata), JSON.stringify(tags)];
      const { lastInsertRowid } = add.run(user, type, description, time, ...texts, importance, parentId, createdAt);
      event.entityIds.forEach((entityId, position) => {
        link.run(Number(lastInsertRowid), entityId, position);
      });
      return Number(lastInsertRowid);
    },
    remove: (user: string, id: number): boolean => remove.run(id, user).changes > 0,
    lastEvents: (user: string, until: number): ReadonlyMap<number, number> =>
      new Map(lastEvents.all(user, until).map(({ entity_id, last }) => [entity_id, last])),
  };
}
