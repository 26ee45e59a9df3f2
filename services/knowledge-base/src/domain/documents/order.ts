import { ContextloomError, type JsonObject, type ListSort, type StoredDocument } from '@contextloom/contracts';
import { parseTimestamp } from '@contextloom/retrieval/filter';
import { z } from 'zod';
import type { ListPosition } from '../store.ts';

function timeOf(metadata: JsonObject, key: string): number | undefined {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

/** What orders a document in a listing: its importance, and when it happened (epoch milliseconds), each if its metadata says so. */
export function toOrder(metadata: JsonObject): { importance: number | undefined; time: number | undefined } {
  const importance = Object.hasOwn(metadata, 'importance') ? metadata['importance'] : undefined;
  return {
    importance: typeof importance === 'number' ? importance : undefined,
    time: timeOf(metadata, 'occurred_at') ?? timeOf(metadata, 'created_at'),
  };
}

/** A value that a listing is ordered by. */
export interface SortKey {
  readonly name: 'importance' | 'time' | 'updated_at';
  readonly isFalling: boolean;
}

const falling = (name: SortKey['name']): SortKey => ({ name, isFalling: true });

/** By which values each order goes, the first before the second; documents alike in all go by id, rising. */
export const sortKeys: Readonly<Record<ListSort, readonly SortKey[]>> = {
  relevance: [falling('importance'), falling('time')],
  newest: [falling('time')],
  oldest: [{ name: 'time', isFalling: false }],
  updated: [falling('updated_at')],
};

/** The values of a position that an order goes by; a document without importance stands behind all others. */
export function valueAt({ importance, time, updatedAt = '' }: ListPosition, { name }: SortKey): string | number {
  if (name === 'importance') return importance ?? Number.NEGATIVE_INFINITY;
  return name === 'time' ? time : updatedAt;
}

/** Where a listing of so many documents goes on after this one, as an opaque text. */
export function toCursor(document: StoredDocument, sort: ListSort = 'relevance', total?: number): string {
  const { importance, time } = toOrder(document.metadata);
  const place = [importance ?? null, time ?? Date.parse(document.created_at), document.id];
  const order = sort === 'relevance' ? [] : [sort, document.updated_at];
  const position = [...place, ...order, ...(total === undefined ? [] : [total])];
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Reads what {@link toCursor} wrote.
 * @throws ContextloomError `invalid` for any other text, and for the cursor of another order
 */
export function parseCursor(cursor: string, sort: ListSort = 'relevance'): ListPosition {
  const position = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  const [importance, time, id, ...rest]: unknown[] = Array.isArray(position) ? position : [];
  const place = placeSchema.safeParse([importance, time, id]);
  const order = (sort === 'relevance' ? totalSchema : orderSchema(sort)).safeParse(rest);
  if (place.success && order.success) {
    const { updatedAt, total } = order.data;
    const [rated, at, document] = place.data;
    return {
      importance: rated ?? undefined,
      time: at,
      id: document,
      ...(updatedAt !== undefined && { updatedAt }),
      ...(total !== undefined && { total }),
    };
  }
  throw new ContextloomError('invalid', 'cursor must be the next_cursor of the page before', { field: 'cursor' });
}

const placeSchema = z.tuple([z.number().nullable(), z.number(), z.string()]);
const total = z.int().min(0).optional();
const totalSchema = z.tuple([total]).transform(([counted]) => ({ updatedAt: undefined, total: counted }));
const orderSchema = (sort: ListSort) =>
  z.tuple([z.literal(sort), z.string(), total]).transform(([, updatedAt, counted]) => ({ updatedAt, total: counted }));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller refuses it.
  }
}
