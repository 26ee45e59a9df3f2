import type { JsonObject } from '@contextloom/contracts';
import type { MemoryEntry } from '@contextloom/contracts/agent-memory';
import type { SqlPart } from '@contextloom/sqlite';
import { toEnd } from '../../domain/model/ends.ts';
import { LONG_TERM_FILE } from '../../domain/model/files.ts';
import type { EntrySelection, IndexedEntry } from '../../domain/ports/entry-index.ts';

/** A row of memory_entries. */
export interface EntryRow extends Omit<MemoryEntry, 'label' | 'metadata' | 'in_text'> {
  readonly entry: number;
  readonly label: string | null;
  readonly metadata: string | null;
  readonly position: number;
  readonly written_id: string | null;
  readonly has_vector: 0 | 1;
  readonly in_text: 0 | 1;
  readonly ends_at: number | null;
}

/** The columns that an entry gives, for named parameters. */
export function toColumns({
  label,
  metadata = {},
  writtenId,
  editedAt: _editedAt,
  in_text,
  ...entry
}: IndexedEntry): Omit<EntryRow, 'entry' | 'has_vector'> {
  const text = Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
  return {
    ...entry,
    label: label ?? null,
    metadata: text,
    written_id: writtenId ?? null,
    in_text: in_text === true ? 1 : 0,
    ends_at: toEnd({ metadata }) ?? null,
  };
}

/** The entry of a row, as callers see it. */
export function toMemoryEntry(row: EntryRow): MemoryEntry {
  const { id, content, content_type, source_file, date, created_at, updated_at, label, metadata } = row;
  return {
    id,
    content,
    content_type,
    source_file,
    date,
    created_at,
    updated_at,
    ...(label !== null && { label }),
    ...(metadata !== null && { metadata: JSON.parse(metadata) as JsonObject }),
    ...(row.in_text === 1 && { in_text: true as const }),
  };
}

/** The entry of a row, with what the index knows of it. */
export function toIndexedEntry(row: EntryRow): IndexedEntry {
  return { ...toMemoryEntry(row), position: row.position, writtenId: row.written_id ?? undefined };
}

/** A selection as a condition. */
export function toCondition(selection: EntrySelection): SqlPart {
  const { content_type, start_date, end_date, since, until, withoutLongTerm, aliveAt } = selection;
  const parts: readonly (readonly [string, string | number | undefined])[] = [
    // By its own small index: the rows themselves are long.
    ['entry NOT IN (SELECT entry FROM memory_entries WHERE ends_at <= ?)', aliveAt],
    ['content_type = ?', content_type],
    ['date >= ?', start_date],
    ["date <= ? AND date <> ''", end_date],
    ['created_at >= ?', since],
    ['created_at < ?', until],
    ['source_file <> ?', withoutLongTerm === true ? LONG_TERM_FILE : undefined],
  ];
  const given = parts.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const sql = given.length === 0 ? 'TRUE' : given.map((part) => part.sql).join(' AND ');
  return { sql, params: given.map(({ value }) => value) };
}

/** What an entry is found by. */
export type IndexedTexts = Pick<EntryRow, 'content'> & { readonly label?: string | null | undefined };

/** By what an entry is found: its text, and what a person called it. */
export function toIndexedText({ label, content }: IndexedTexts): string {
  return label === null || label === undefined ? content : `${label}\n${content}`;
}
