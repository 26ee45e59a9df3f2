import { ContextloomError, type DocumentInput, type DocumentPatch, type JsonObject } from '@contextloom/contracts';
import type { KeyedDocument } from './store.ts';

/** A document without keys has no field for them, whether the list was empty or absent. */
function withKeys(document: KeyedDocument, keys: readonly string[] | undefined): KeyedDocument {
  return keys === undefined || keys.length === 0 ? document : { ...document, keys: [...keys] };
}

/**
 * Gives each document its id: the caller's, or a new one.
 * @throws ContextloomError `invalid` when two documents of one batch ask for the same id
 */
export function toDocuments(inputs: readonly DocumentInput[], newId: () => string): readonly KeyedDocument[] {
  const seen = new Map<string, number>();
  return inputs.map(({ doc_id: askedId, content, tags, metadata, keys }, at) => {
    const id = askedId ?? newId();
    const first = seen.get(id);
    if (first !== undefined) {
      const message = `documents[${first}] and documents[${at}] have the same id "${id}": an id may stand once in a batch`;
      throw new ContextloomError('invalid', message, { field: `documents[${at}].doc_id` });
    }
    seen.set(id, at);
    return withKeys({ id, content, tags, metadata }, keys);
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
  { content, tags, metadata, keys = before.keys }: DocumentPatch,
): KeyedDocument {
  const after = {
    id: before.id,
    content: content ?? before.content,
    tags: tags ?? before.tags,
    metadata: metadata === undefined ? before.metadata : mergeMetadata(before.metadata, metadata),
  };
  return withKeys(after, keys);
}
