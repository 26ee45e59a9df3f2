import type { JsonObject, StoredDocument } from '@contextloom/contracts';
import { parseStoredJson } from '@contextloom/sqlite';
import { toOrder } from '../../domain/documents/order.ts';
import { toPlace } from '../../domain/documents/places.ts';
import type { Candidate, KeyedDocument, StoredRecord } from '../../domain/store.ts';

/** The columns of a whole document, over `documents d`. */
export const DOCUMENT_COLUMNS =
  'd.doc, d.id, d.version, d.created_at, d.updated_at, d.tags, d.metadata, d.content, d.keys';

/** A row of {@link DOCUMENT_COLUMNS}. */
export interface DocumentRow {
  readonly doc: number;
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly tags: string;
  readonly metadata: string;
  readonly content: string;
  readonly keys: string;
}

/** The columns of a candidate, over `documents d`. */
export const CANDIDATE_COLUMNS = 'd.doc, d.id, d.tags, d.metadata, d.importance, d.time, length(d.content) AS length';

/** A row of {@link CANDIDATE_COLUMNS}. */
export interface CandidateRow {
  readonly doc: number;
  readonly id: string;
  readonly tags: string;
  readonly metadata: string;
  /** Negative infinity for none. */
  readonly importance: number;
  readonly time: number;
  readonly length: number;
}

/** The document of a row, as its caller gave it. */
export function toDocument({ id, content, tags, metadata, keys }: DocumentRow): KeyedDocument {
  const document = {
    id,
    content,
    tags: parseStoredJson<string[]>(tags),
    metadata: parseStoredJson<JsonObject>(metadata),
  };
  return keys === '[]' ? document : { ...document, keys: parseStoredJson(keys) };
}

/** The document of a row, with what the store knows about it. */
export function toStoredDocument(row: DocumentRow): StoredDocument {
  const { created_at, updated_at, version } = row;
  return { ...toDocument(row), created_at, updated_at, version };
}

/** The document of a row and its state. */
export function toRecord(row: DocumentRow): StoredRecord {
  return { document: toStoredDocument(row), revision: `${row.doc}.${row.version}` };
}

/** The row key and version that a revision names; of a text that is no revision, ones that no row has. */
export function parseRevision(revision: string): { readonly doc: number; readonly version: number } {
  const [doc = 0, version = 0] = revision.split('.').map(Number);
  return { doc, version };
}

/** The candidate of a row. */
export function toCandidate({ id, tags, metadata, importance, time, length }: CandidateRow): Candidate {
  const known = parseStoredJson<JsonObject>(metadata);
  return {
    id,
    time,
    length,
    tags: parseStoredJson(tags),
    place: toPlace(known),
    happened: toOrder(known).time,
    importance: importance === Number.NEGATIVE_INFINITY ? undefined : importance,
  };
}
