import { toAttributes } from '@contextloom/retrieval/filter';
import { mapInSlices } from '@contextloom/runtime/scheduling';
import { omitNullOwner } from '../documents/isolation.ts';
import { toOrder } from '../documents/order.ts';
import { toPlaceAttributes } from '../documents/places.ts';
import { toSourceAttributes } from '../documents/sources.ts';
import { type TextEmbedder, withVectors } from '../embedder.ts';
import type { DerivableDocument, DocumentIndex, DocumentWrite, KeyedDocument } from '../store.ts';

/** The text that a document is found by: its content, and its keys below it. */
export function toIndexedText({ content, keys = [] }: Pick<KeyedDocument, 'content' | 'keys'>): string {
  return [content, ...keys].join('\n');
}

function toIndex(document: KeyedDocument): Omit<DocumentIndex, 'vector'> {
  const { tags, metadata } = document;
  const filtered = { tags, metadata: omitNullOwner(metadata) };
  const attributes = new Map([
    ...toAttributes(filtered),
    ...toPlaceAttributes(metadata),
    ...toSourceAttributes(metadata),
  ]);
  return { attributes, text: toIndexedText(document) };
}

/** A document as a store writes it, without its vector. */
export function toWrite(document: KeyedDocument, owner: string): DocumentWrite {
  return { document, owner, ...toOrder(document.metadata), index: toIndex(document) };
}

/** Documents with their owners as a store writes them, without their vectors. */
export function toWrites(
  owned: readonly (Pick<DocumentWrite, 'document' | 'owner'> & { readonly mustBeNew?: boolean | undefined })[],
): Promise<DocumentWrite[]> {
  return mapInSlices(owned, ({ document, owner, mustBeNew = false }) => ({ ...toWrite(document, owner), mustBeNew }));
}

/** All that is derived of each document, in order; a vector that a document brings along is kept. */
export async function toIndexes(
  documents: readonly DerivableDocument[],
  embedder: TextEmbedder,
): Promise<DocumentIndex[]> {
  const without = documents.filter(({ vector }) => vector === undefined);
  const embedded = without.length === 0 ? [] : await withVectors(without, toIndexedText, embedder);
  const made = new Map(embedded.map(({ item, vector }) => [item, vector]));
  return mapInSlices(documents, (document) => ({
    ...toIndex(document),
    vector: document.vector ?? made.get(document) ?? new Float32Array(),
  }));
}
