import { createHash } from 'node:crypto';
import {
  EXPIRY_KEY,
  type JsonObject,
  RETRACTION_TAG,
  retractionKeys,
  SOURCE_KEY,
  type StoredDocument,
  sourceKeys,
} from '@contextloom/contracts';
import { allOf, lacksTag, type RowCondition } from '@contextloom/retrieval/filter';
import type { KeyedDocument } from '../store.ts';
import { OWNER_KEY, toOwnerText } from './scope.ts';

/** What a mark says in place of the words that are gone: no search finds it by words. */
const NO_WORDS = '—';

/** Whether a document was read in a conversation, so that another reading could bring it back. */
function isRead({ metadata, tags }: KeyedDocument): boolean {
  return typeof metadata[SOURCE_KEY] === 'string' && !tags.includes(RETRACTION_TAG);
}

/** So much of what had been read is kept with its correction, in UTF-16 code units. */
const MAX_SAID = 20_000;

interface Correction {
  /** The metadata that the caller gives: what they say of a correction is so. */
  readonly given: JsonObject;
  readonly at: string;
}

/** A changed document with the note that it was corrected and what had been read, if it was read in a conversation. */
export function noteCorrection(before: KeyedDocument, after: KeyedDocument, { given, at }: Correction): KeyedDocument {
  if (!isRead(before)) return after;
  const { [retractionKeys.how]: how } = given;
  if (how === null) {
    const { [retractionKeys.at]: _at, [retractionKeys.said]: _said, ...metadata } = after.metadata;
    return { ...after, metadata };
  }
  if (how !== undefined) return after;
  const { [retractionKeys.said]: said = before.content.slice(0, MAX_SAID) } = before.metadata;
  const isReworded = after.content !== before.content || Object.hasOwn(before.metadata, retractionKeys.said);
  const note: JsonObject = {
    [retractionKeys.how]: 'corrected',
    [retractionKeys.at]: at,
    ...(isReworded && { [retractionKeys.said]: said }),
  };
  return { ...after, metadata: { ...after.metadata, ...note } };
}

/**
 * A document that takes the place of another, which was read in a conversation: it is a correction, and keeps where that was read,
 * unless it is the same again.
 */
export function replaceRead(before: KeyedDocument, after: KeyedDocument, at: string): KeyedDocument {
  const { metadata: given, content } = after;
  const isOwn = toOwnerText(before.metadata[OWNER_KEY] ?? null) === toOwnerText(given[OWNER_KEY] ?? null);
  const isSame = content === before.content && given[SOURCE_KEY] === before.metadata[SOURCE_KEY];
  if (!isOwn || isSame || !isRead(before)) return after;
  return noteCorrection(before, { ...after, metadata: { ...pickSource(before), ...given } }, { given, at });
}

/** What a document's metadata tell of where it was read. */
function pickSource({ metadata }: KeyedDocument): JsonObject {
  const sources = sourceKeys.filter((key) => Object.hasOwn(metadata, key));
  return Object.fromEntries(sources.map((key) => [key, metadata[key] ?? null]));
}

/** A condition that leaves out marks, unless these tags ask for them. */
export function withoutMarks(condition: RowCondition, tags: readonly string[]): RowCondition {
  return tags.includes(RETRACTION_TAG) ? condition : allOf([condition, lacksTag(RETRACTION_TAG)]);
}

/** What stays of a document that is deleted, if it was read in a conversation: where that was, without its words. */
export function toMark(document: KeyedDocument, at: string): KeyedDocument | undefined {
  return isRead(document) ? markOf(document, at) : undefined;
}

/** What stays of a document that has expired: where it was read, and when it was stored and why it went, without its words. */
export function toReceipt(document: StoredDocument, at: string): KeyedDocument {
  const mark = markOf(document, at);
  const { created_at: storedAt, metadata } = document;
  const times = { stored_at: storedAt, expired_at: metadata[EXPIRY_KEY] ?? null };
  return { ...mark, metadata: { ...mark.metadata, [retractionKeys.why]: 'expired', ...times } };
}

function markOf(document: KeyedDocument, at: string): KeyedDocument {
  const { id, metadata } = document;
  const owner = toOwnerText(metadata[OWNER_KEY] ?? null);
  return {
    id: `retraction-${createHash('sha256')
      .update(JSON.stringify([owner, id]))
      .digest('hex')
      .slice(0, 32)}`,
    content: NO_WORDS,
    tags: [RETRACTION_TAG],
    metadata: {
      ...pickSource(document),
      [retractionKeys.how]: 'deleted',
      [retractionKeys.at]: at,
      [retractionKeys.of]: id,
    },
  };
}
