import type { JsonObject, StoredDocument } from '@contextloom/contracts';
import { type Tokens, tokenize } from '@contextloom/retrieval';
import type { Attributes } from '@contextloom/retrieval/filter';
import type { DocumentWrite, StoredRecord } from '../../../domain/store.ts';
import type { HitRow, NewRow, RowNotes } from './collection.ts';

/*
 * A document is one row, and a replacement of it is another one: an engine that merges metadata cannot replace it in
 * place. Row ids are `<document>#<slot>`, and a replacement takes the slot after that of the row it replaces, so that of
 * two writers who replace the same row one finds the slot taken. Four slots are enough, since a row is gone long before
 * its slot comes round again, and few enough to be looked up all at once.
 *
 * Beside the document's attributes a row's metadata hold:
 *
 *   doc:owner  whose the document is; '' while the row is not shown: a intent that is not published yet, or a dead row
 *   doc:dead   true once the document was removed or replaced; never taken back
 *   doc:batch  the nonce of the write
 *   doc:waiting  true while the row has no vector: zeros are in its place, which are near to nothing
 *   doc:head   the rest, as JSON
 *
 * The text is the tokens, each between blanks, and then the content.
 */
const SLOTS = 4;

/** What is known of a document besides its content and attributes. */
interface Head {
  readonly owner: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** `null` for none: JSON knows no infinities. */
  readonly importance: number | null;
  readonly time: number;
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
  readonly keys?: readonly string[];
  /** Attributes that the engine would hold inexactly. */
  readonly exact: Readonly<Record<string, number>>;
  /** How many rows were written together. */
  readonly size: number;
  /** The row that this one replaces. */
  readonly replaces: RowKey | null;
}

/** One state of one row: an id alone may come again, with another nonce never. */
export interface RowKey {
  readonly id: string;
  readonly nonce: string;
}

/** A document's row, read back. */
export interface StoredRow extends RowKey {
  readonly document: string;
  readonly state: 'live' | 'intent' | 'dead';
  readonly head: Head;
  readonly found: HitRow;
}

/** All rows that a document may have. */
export function toSlots(document: string): readonly string[] {
  return Array.from({ length: SLOTS }, (_, slot) => `${document}#${slot}`);
}

const toDocumentId = (row: string): string => row.slice(0, row.lastIndexOf('#'));

function toNextSlot(document: string, before: StoredRow | undefined): string {
  const slot = before === undefined ? 0 : Number(before.id.slice(document.length + 1)) + 1;
  return `${document}#${slot % SLOTS}`;
}

/** What a document's row says of itself, as the engine gave it. */
export function toStoredRow(found: HitRow): StoredRow {
  const { 'doc:owner': owner, 'doc:dead': dead, 'doc:batch': nonce, 'doc:head': head } = found.notes;
  const state = dead === true ? 'dead' : owner === '' ? 'intent' : 'live';
  return {
    id: found.id,
    nonce: String(nonce),
    document: toDocumentId(found.id),
    state,
    head: JSON.parse(String(head)),
    found,
  };
}

/** Names the exact state of a row. */
export function toRevision({ id, nonce }: RowKey): string {
  return `${nonce}@${id}`;
}

/** The document whose state a revision names; of a text that is no revision, one that is not there. */
export function toRevisedDocument(revision: string): string {
  return toDocumentId(revision.slice(revision.indexOf('@') + 1));
}

/** The engine truncates and rounds numbers that are no integers of 53 bits; `exact` of the head has what they were. */
function toEngineNumber(value: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
}

function toEngineValue(value: string | number | boolean): string | number | boolean {
  return typeof value === 'number' ? toEngineNumber(value) : value;
}

/** What the version and times of a row are. */
export interface RowHistory {
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** How a row stands to others. */
export interface RowPlan {
  readonly nonce: string;
  readonly size: number;
  readonly before: StoredRow | undefined;
  readonly isShown: boolean;
  readonly history: RowHistory;
}

/** A document to be written, with what stands in the place of its vector. */
export interface Vectored extends DocumentWrite {
  readonly vector: Float32Array;
  /** Whether the vector is zeros in the place of one that is made later. */
  readonly isWaiting: boolean;
}

/** Whether a row waits for its vector. */
export function isWaiting({ found }: StoredRow): boolean {
  return found.notes['doc:waiting'] === true;
}

/** The row of a document, in the slot after that of the row it replaces. */
export function toRow(write: Vectored, plan: RowPlan): NewRow {
  const { document, owner, importance, time, index, vector } = write;
  const { nonce, size, before, isShown, history } = plan;
  const inexact = [...index.attributes].filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && !Number.isSafeInteger(entry[1]),
  );
  const head: Head = {
    owner,
    ...history,
    importance: importance ?? null,
    time: time ?? Date.parse(history.created_at),
    tags: document.tags,
    metadata: document.metadata,
    ...(document.keys !== undefined && { keys: document.keys }),
    exact: Object.fromEntries(inexact),
    size,
    replaces: before === undefined ? null : { id: before.id, nonce: before.nonce },
  };
  return {
    id: toNextSlot(document.id, before),
    text: toText(tokenize(index.text, { keepStopWords: true }), document.content),
    notes: {
      ...Object.fromEntries([...index.attributes].map(([name, value]) => [name, toEngineValue(value)])),
      'doc:owner': isShown ? owner : '',
      'doc:batch': nonce,
      'doc:head': JSON.stringify(head),
      ...(write.isWaiting && { 'doc:waiting': true }),
    },
    vector,
  };
}

/** The row in another collection, as it was but for what is derived. */
export function toRowAnew({ id, nonce, head }: StoredRow, write: Vectored): NewRow {
  const { version, created_at, updated_at } = head;
  const history = { version, created_at, updated_at };
  return { ...toRow(write, { nonce, size: head.size, before: undefined, isShown: true, history }), id };
}

function toText({ terms, unigrams }: Tokens, content: string): string {
  return ` ${terms.join(' ')} \n ${unigrams.join(' ')} \n${content}`;
}

/** The tokens and the content in a row's text. */
export function parseText(text: string): Tokens & { readonly content: string } {
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  const words = (line: string): readonly string[] => line.split(' ').filter((word) => word !== '');
  return {
    terms: words(text.slice(0, first)),
    unigrams: words(text.slice(first + 1, second)),
    content: text.slice(second + 1),
  };
}

/** The document of a row that was read with its text. */
export function toStoredDocument({ document: id, head, found }: StoredRow): StoredDocument {
  const { tags, metadata, keys, created_at, updated_at, version } = head;
  const { content } = parseText(found.text);
  const known = { created_at, updated_at, version, ...(keys !== undefined && { keys: [...keys] }) };
  return { id, content, tags: [...tags], metadata, ...known };
}

/** The document of a row and its state. */
export function toRecord(row: StoredRow): StoredRecord {
  return { document: toStoredDocument(row), revision: toRevision(row) };
}

/** The attributes of a row, exact. */
export function toAttributesOf({ head, found }: StoredRow): Attributes {
  const kept = Object.entries<RowNotes[string]>(found.notes).filter(([name]) => !name.startsWith('doc:'));
  return new Map([...kept, ...Object.entries(head.exact)]);
}
