import { ContextloomError, type JsonObject, type StoredDocument } from '@contextloom/contracts';
import { parseTimestamp } from '@contextloom/retrieval/filter';
import type { ListPosition } from './store.ts';

function timeOf(metadata: JsonObject, key: string): number | undefined {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

/** What orders a document in a listing: how important it is, and when it happened (epoch milliseconds), if it says so. */
export function toOrder(metadata: JsonObject): { importance: number | undefined; time: number | undefined } {
  const importance = Object.hasOwn(metadata, 'importance') ? metadata['importance'] : undefined;
  return {
    importance: typeof importance === 'number' ? importance : undefined,
    time: timeOf(metadata, 'occurred_at') ?? timeOf(metadata, 'created_at'),
  };
}

/** Where a listing goes on after this document, as an opaque text. */
export function toCursor(document: StoredDocument): string {
  const { importance, time } = toOrder(document.metadata);
  const position = [importance ?? null, time ?? Date.parse(document.created_at), document.id];
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Reads what {@link toCursor} wrote.
 * @throws ContextloomError `invalid` for any other text
 */
export function parseCursor(cursor: string): ListPosition {
  const position = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  const [importance, time, id]: unknown[] = Array.isArray(position) && position.length === 3 ? position : [];
  if ((importance === null || typeof importance === 'number') && typeof time === 'number' && typeof id === 'string') {
    return { importance: importance ?? undefined, time, id };
  }
  throw new ContextloomError('invalid', 'cursor must be the next_cursor of the page before', { field: 'cursor' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // What is no JSON is no cursor: the caller says so.
  }
}
