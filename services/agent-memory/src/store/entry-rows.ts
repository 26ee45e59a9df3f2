import type { JsonObject } from '@contextloom/contracts';
import type { SqlPart } from '@contextloom/sqlite';
import type { ContentType, MemoryEntry } from '../domain/entry.ts';
import { LONG_TERM_FILE } from '../domain/entry.ts';
import { type EntrySelection, type IndexedEntry, toMetadataText } from '../domain/entry-index.ts';

/** A row of memory_entries. */
export interface EntryRow {
  readonly entry: number;
  readonly id: string;
  readonly content: string;
  readonly content_type: ContentType;
  readonly source_file: string;
  readonly date: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly label: string | null;
  readonly metadata: string | null;
  readonly position: number;
  readonly written_id: string | null;
  readonly has_vector: 0 | 1;
}

/** The columns that an entry gives, for named parameters. */
export function toColumns(entry: IndexedEntry): Omit<EntryRow, 'entry' | 'has_vector'> {
  return {
    id: entry.id,
    content: entry.content,
    content_type: entry.content_type,
    source_file: entry.source_file,
    date: entry.date,
    created_at: entry.created_at,
    updated_at: entry.updated_at,
    label: entry.label ?? null,
    metadata: toMetadataText(entry.metadata),
    position: entry.position,
    written_id: entry.writtenId ?? null,
  };
}

/** The entry of a row, as callers see it. */
export function toMemoryEntry(row: EntryRow): MemoryEntry {
  const { id, content, content_type, source_file, date, created_at, updated_at, label, metadata } = row;
  return {
    ...{ id, content, content_type, source_file, date, created_at, updated_at },
    ...(label !== null && { label }),
    ...(metadata !== null && { metadata: JSON.parse(metadata) as JsonObject }),
  };
}

/** The entry of a row, with what the index knows of it. */
export function toIndexedEntry(row: EntryRow): IndexedEntry {
  return { ...toMemoryEntry(row), position: row.position, writtenId: row.written_id ?? undefined };
}

/** A selection as a condition. */
export function toCondition({ contentType, startDate, endDate, withoutLongTerm }: EntrySelection): SqlPart {
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['content_type = ?', contentType],
    ['date >= ?', startDate],
    ['date <= ?', endDate],
    ['source_file <> ?', withoutLongTerm === true ? LONG_TERM_FILE : undefined],
  ];
  const given = parts.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const sql = given.length === 0 ? 'TRUE' : given.map((part) => part.sql).join(' AND ');
  return { sql, params: given.map(({ value }) => value) };
}
