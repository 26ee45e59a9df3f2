import { createHash } from 'node:crypto';
import {
  type DocumentPatch,
  type JsonObject,
  RETRACTION_TAG,
  retractionKeys,
  SOURCE_KEY,
  sourceKeys,
} from '@contextloom/contracts';
import type { KeyedDocument } from '../store.ts';
import { OWNER_KEY, toOwnerText } from './scope.ts';

/** What a mark says in place of the words that are gone: no search finds it by words. */
const NO_WORDS = '—';

/** Whether a document was read in a conversation, so that another reading could bring it back. */
function isRead({ metadata, tags }: KeyedDocument): boolean {
  return typeof metadata[SOURCE_KEY] === 'string' && !tags.includes(RETRACTION_TAG);
}

/** A changed document with the note that it was corrected, if it was read in a conversation and the patch does not say so itself. */
export function noteCorrection(
  before: KeyedDocument,
  after: KeyedDocument,
  { patch: { metadata = {} }, at }: { readonly patch: DocumentPatch; readonly at: string },
): KeyedDocument {
  if (!isRead(before) || Object.hasOwn(metadata, retractionKeys.how)) return after;
  const note: JsonObject = { [retractionKeys.how]: 'corrected', [retractionKeys.at]: at };
  return { ...after, metadata: { ...after.metadata, ...note } };
}

/** What stays of a document that is deleted, if it was read in a conversation: where that was, without its words. */
export function toMark(document: KeyedDocument, at: string): KeyedDocument | undefined {
  if (!isRead(document)) return undefined;
  const { id, metadata } = document;
  const kept = sourceKeys.filter((key) => Object.hasOwn(metadata, key)).map((key) => [key, metadata[key] ?? null]);
  const owner = toOwnerText(metadata[OWNER_KEY] ?? null);
  return {
    id: `retraction-${createHash('sha256')
      .update(JSON.stringify([owner, id]))
      .digest('hex')
      .slice(0, 32)}`,
    content: NO_WORDS,
    tags: [RETRACTION_TAG],
    metadata: {
      ...Object.fromEntries(kept),
      [retractionKeys.how]: 'deleted',
      [retractionKeys.at]: at,
      [retractionKeys.of]: id,
    },
  };
}
