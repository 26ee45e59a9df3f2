import {
  ContextloomError,
  type DocumentInput,
  type DocumentPatch,
  EXPIRY_KEY,
  type JsonObject,
  MAX_BATCH_VALUES,
} from '@contextloom/contracts';
import type { KeyedDocument } from '../store.ts';
import { requireExpiry } from './expiry.ts';

/** A document without keys has no field for them, whether the list was empty or absent. */
function withKeys(document: KeyedDocument, keys: readonly string[] | undefined): KeyedDocument {
  return keys === undefined || keys.length === 0 ? document : { ...document, keys: [...keys] };
}

/** When a document is forgotten stands in its metadata, which every engine filters by. */
function withExpiry(metadata: JsonObject, expiresAt: string | undefined): JsonObject {
  const after = expiresAt === undefined ? metadata : { ...metadata, [EXPIRY_KEY]: new Date(expiresAt).toISOString() };
  requireExpiry(after);
  return after;
}

function refuseTooMuch(inputs: readonly DocumentInput[]): void {
  const values = inputs.reduce((sum, { tags, metadata }) => sum + tags.length + Object.keys(metadata).length, 0);
  if (values <= MAX_BATCH_VALUES) return;
  const message = `documents have ${values} tags and metadata keys together: at most ${MAX_BATCH_VALUES} in one batch`;
  throw new ContextloomError('invalid', message, { field: 'documents' });
}

/**
 * Gives each document its id: the caller's, or a new one.
 * @throws ContextloomError `invalid` when two documents of one batch ask for the same id, or all have too many tags and keys
 */
export function toDocuments(inputs: readonly DocumentInput[], newId: () => string): readonly KeyedDocument[] {
  refuseTooMuch(inputs);
  const seen = new Map<string, number>();
  return inputs.map(({ doc_id: askedId, content, tags, metadata, keys, expires_at: expiresAt }, at) => {
    const id = askedId ?? newId();
    const first = seen.get(id);
    if (first !== undefined) {
      const message = `documents[${first}] and documents[${at}] have the same id "${id}": an id may stand once in a batch`;
      throw new ContextloomError('invalid', message, { field: `documents[${at}].doc_id` });
    }
    seen.set(id, at);
    return withKeys({ id, content, tags, metadata: withExpiry(metadata, expiresAt) }, keys);
  });
}

/** A JSON merge patch (RFC 7396) of the top level: keys are replaced whole, and removed where the patch has null. */
function mergeMetadata(before: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map([...Object.entries(before), ...Object.entries(patch)]);
  for (const [key, value] of Object.entries(patch)) if (value === null) merged.delete(key);
  return Object.fromEntries(merged);
}

/** The document after a change; what the patch does not name stays. */
export function applyPatch(
  before: KeyedDocument,
  { content, tags, metadata, keys = before.keys, expires_at: expiresAt }: DocumentPatch,
): KeyedDocument {
  const after = {
    id: before.id,
    content: content ?? before.content,
    tags: tags ?? before.tags,
    metadata: withExpiry(
      metadata === undefined ? before.metadata : mergeMetadata(before.metadata, metadata),
      expiresAt,
    ),
  };
  return withKeys(after, keys);
}
