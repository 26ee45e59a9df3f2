import { toAttributes } from '@contextloom/retrieval/filter';
import { mapInSlices } from '@contextloom/retrieval/scheduling';
import { type TextEmbedder, withVectors } from './embedder.ts';
import { toOrder } from './order.ts';
import { toPlaceAttributes } from './places.ts';
import type { DocumentIndex, DocumentWrite, KeyedDocument } from './store.ts';

/** The text that a document is found by: its content, and its keys below it. */
export function toIndexedText({ content, keys = [] }: Pick<KeyedDocument, 'content' | 'keys'>): string {
  return [content, ...keys].join('\n');
}

function toIndex(document: KeyedDocument): Omit<DocumentIndex, 'vector'> {
  const attributes = new Map([...toAttributes(document), ...toPlaceAttributes(document.metadata)]);
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

/** All that is derived of each document, in order. */
export async function toIndexes(documents: readonly KeyedDocument[], embedder: TextEmbedder): Promise<DocumentIndex[]> {
  const embedded = await withVectors(documents, toIndexedText, embedder);
  return mapInSlices(embedded, ({ item, vector }) => ({ ...toIndex(item), vector }));
}
