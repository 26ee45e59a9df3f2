import type { EventType } from '@contextloom/contracts/personal-memory';
import { parseStoredJson } from '@contextloom/sqlite';
import { toEventText } from '../../domain/events/events.ts';
import type { MemoryEvent } from '../../domain/model.ts';
import { CHANGED_KEY } from '../../domain/profile/profile-changes.ts';
import type { EventFilter, Page } from '../../domain/store.ts';
import { countRows, joinConditions } from './change-filter.ts';
import { createNextNumber } from './numbers.ts';
import { type Dialect, EVERYTHING, type Sql, type StatementPart, toList } from './sql.ts';

interface EventRow {
  readonly id: number;
  readonly event_type: EventType;
  readonly description: string;
  readonly entity_ids: string | readonly (number | string)[];
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
    entityIds: toList(row.entity_ids).map(Number),
    metadata: parseStoredJson(row.metadata),
    tags: parseStoredJson(row.tags),
    time: row.timestamp,
    importance,
    parentId: row.parent_event_id,
  };
}

/** The condition that an event is about one of some entities. */
function toAbout(user: string, entityIds: readonly number[], { isIn }: Dialect): StatementPart {
  const among = isIn('n.number', entityIds);
  return {
    sql: `e.id IN (SELECT l.event_id FROM entities n JOIN event_entities l ON l.entity_id = n.id
      WHERE n.user_id = ? AND ${among.sql})`,
    params: [user, ...among.params],
  };
}

/** The condition on `events e` that a user's events meet under a filter. */
export function toEventSelection(user: string, filter: EventFilter, dialect: Dialect): StatementPart {
  const { type, range, entityId, entityIds, ids, before, tag, withoutTag } = filter;
  const parts: StatementPart[] = [{ sql: 'e.user_id = ?', params: [user] }];
  if (type !== undefined) parts.push({ sql: 'e.event_type = ?', params: [type] });
  if (range !== undefined && Number.isFinite(range.from)) parts.push({ sql: 'e.timestamp >= ?', params: [range.from] });
  if (range !== undefined && Number.isFinite(range.to)) parts.push({ sql: 'e.timestamp < ?', params: [range.to] });
  for (const wanted of [entityId === undefined ? undefined : [entityId], entityIds]) {
    if (wanted !== undefined) parts.push(toAbout(user, wanted, dialect));
  }
  if (ids !== undefined) parts.push(dialect.isIn('e.number', ids));
  if (before !== undefined) {
    const sql = 'e.timestamp <= ? AND (e.timestamp < ? OR e.number < ?)';
    parts.push({ sql, params: [before.time, before.time, before.id] });
  }
  if (tag !== undefined) parts.push(dialect.hasTag('e.tags', tag));
  if (withoutTag !== undefined) {
    const { sql, params } = dialect.hasTag('e.tags', withoutTag);
    parts.push({ sql: `NOT ${sql}`, params });
  }
  return joinConditions(parts);
}

const toColumns = ({
  collect,
}: Dialect): string => `e.number AS id, e.event_type, e.description, e.metadata, e.tags, e.timestamp, e.importance,
  (SELECT p.number FROM events p WHERE p.id = e.parent_event_id) AS parent_event_id,
  ${collect(`SELECT n.number AS v FROM event_entities l JOIN entities n ON n.id = l.entity_id
    WHERE l.event_id = e.id ORDER BY l.position`)} AS entity_ids`;

/** An event to store, with the id that it had elsewhere if it brings one. */
type NewEvent = Omit<MemoryEvent, 'id'> & { readonly id?: number | undefined };

/** The events of users. */
export function createEventTable(sql: Sql) {
  const { query, dialect } = sql;
  const nextNumber = createNextNumber(sql, 'events');
  const columns = toColumns(dialect);
  const linkAll = async (row: number, user: string, entityIds: readonly number[]): Promise<void> => {
    for (const [position, entityId] of entityIds.entries()) {
      await query(
        `INSERT INTO event_entities (event_id, entity_id, position)
         SELECT CAST(? AS BIGINT), id, CAST(? AS BIGINT) FROM entities WHERE user_id = ? AND number = ?`,
        [row, position, user, entityId],
      );
    }
  };
  return {
    list: async (user: string, filter: EventFilter = {}, page: Page = {}): Promise<readonly MemoryEvent[]> => {
      const where = toEventSelection(user, filter, dialect);
      const rows = await query<EventRow>(
        `SELECT ${columns} FROM events e WHERE ${where.sql} ORDER BY e.timestamp DESC, e.id DESC LIMIT ? OFFSET ?`,
        [...where.params, page.limit ?? EVERYTHING, page.offset ?? 0],
      );
      return rows.map(toEvent);
    },
    count: (user: string, filter: EventFilter = {}): Promise<number> =>
      countRows(sql, 'events e', toEventSelection(user, filter, dialect)),
    /** Its row, for the index, and its number: its own, if that is free. */
    add: async (user: string, event: NewEvent, createdAt: number): Promise<{ row: number; id: number }> => {
      const { type, description, time, metadata, tags, importance, parentId, entityIds } = event;
      const id = await nextNumber(user, event.id);
      const [added] = await query<{ id: number }>(
        `INSERT INTO events (user_id, ${dialect.numberColumn}, event_type, description, timestamp, metadata, tags, importance,
           parent_event_id, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM events WHERE user_id = ? AND number = ?), ?) RETURNING id`,
        [
          user,
          id,
          type,
          description,
          time,
          JSON.stringify(metadata),
          JSON.stringify(tags),
          importance,
          user,
          parentId,
          createdAt,
        ],
      );
      const row = added?.id ?? 0;
      await linkAll(row, user, entityIds);
      return { row, id };
    },
    /** Its row, for the index; undefined for an unknown event. */
    put: async (user: string, event: MemoryEvent): Promise<number | undefined> => {
      const { id, type, description, time, metadata, tags, importance, entityIds } = event;
      const [changed] = await query<{ id: number }>(
        `UPDATE events SET event_type = ?, description = ?, timestamp = ?, metadata = ?, tags = ?, importance = ?
         WHERE user_id = ? AND number = ? RETURNING id`,
        [type, description, time, JSON.stringify(metadata), JSON.stringify(tags), importance, user, id],
      );
      if (changed === undefined) return undefined;
      await query('DELETE FROM event_entities WHERE event_id = ?', [changed.id]);
      await linkAll(changed.id, user, entityIds);
      return changed.id;
    },
    /** The numbers of rows. */
    numbersOf: async (user: string, rows: readonly number[]): Promise<ReadonlyMap<number, number>> => {
      const among = dialect.isIn('id', rows);
      const known = await query<{ id: number; number: number }>(
        `SELECT id, number FROM events WHERE user_id = ? AND ${among.sql}`,
        [user, ...among.params],
      );
      return new Map(known.map(({ id, number }) => [id, number]));
    },
    /** The texts by which rows are found; those that are gone are left out. */
    textsOf: async (rows: readonly number[]): Promise<ReadonlyMap<number, string>> => {
      const among = dialect.isIn('id', rows);
      const known = await query<{ id: number; description: string; tags: string; metadata: string }>(
        `SELECT id, description, tags, metadata FROM events WHERE ${among.sql}`,
        among.params,
      );
      return new Map(
        known.map(({ id, description, tags, metadata }) => [
          id,
          toEventText({ description, tags: parseStoredJson(tags), metadata: parseStoredJson(metadata) }),
        ]),
      );
    },
    /** The events that record changes of an attribute. */
    removeChanges: async (user: string, key: string): Promise<void> => {
      const rows = await query<{ id: number; metadata: string }>(
        `SELECT id, metadata FROM events WHERE user_id = ? AND event_type = 'other' AND metadata LIKE ?`,
        [user, `%"${CHANGED_KEY}"%`],
      );
      const ids = rows.filter(
        ({ metadata }) => parseStoredJson<Record<string, unknown>>(metadata)[CHANGED_KEY] === key,
      );
      const among = dialect.isIn(
        'id',
        ids.map(({ id }) => id),
      );
      await query(`DELETE FROM events WHERE user_id = ? AND ${among.sql}`, [user, ...among.params]);
    },
    remove: async (user: string, id: number): Promise<boolean> => {
      const removed = await query('DELETE FROM events WHERE number = ? AND user_id = ? RETURNING number', [id, user]);
      return removed.length > 0;
    },
    lastEvents: async (user: string, until: number): Promise<ReadonlyMap<number, number>> => {
      const rows = await query<{ entity_id: number; last: number }>(
        `SELECT n.number AS entity_id, max(e.timestamp) AS last FROM entities n JOIN event_entities l ON l.entity_id = n.id
         JOIN events e ON e.id = l.event_id WHERE n.user_id = ? AND e.timestamp <= ? GROUP BY n.number`,
        [user, until],
      );
      return new Map(rows.map(({ entity_id, last }) => [entity_id, last]));
    },
  };
}
