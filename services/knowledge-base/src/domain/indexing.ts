import type { Document } from '@contextloom/contracts';
import { tokenize } from '@contextloom/retrieval';
import { toAttributes } from '@contextloom/retrieval/filter';
import { type TextEmbedder, withVectors } from './embedder.ts';
import { toOrder } from './order.ts';
import { toPlaceAttributes } from './places.ts';
import type { DocumentIndex, DocumentWrite } from './store.ts';
import { mapInTurns } from './turns.ts';

function toIndex(document: Document): Omit<DocumentIndex, 'vector'> {
  const attributes = new Map([...toAttributes(document), ...toPlaceAttributes(document.metadata)]);
  return { attributes, tokens: tokenize(document.content, { keepStopWords: true }) };
}

/** A document as a store writes it, without its vector. */
export function toWrite(document: Document, owner: string): DocumentWrite {
  return { document, owner, ...toOrder(document.metadata), index: toIndex(document) };
}

/** Documents with their owners as a store writes them, without their vectors. */
export function toWrites(
  owned: readonly { readonly document: Document; readonly owner: string }[],
): Promise<DocumentWrite[]> {
  return mapInTurns(
    owned,
    ({ document }) => document.content,
    ({ document, owner }) => toWrite(document, owner),
  );
}

/** All that is derived of each document, in order. */
export async function toIndexes(documents: readonly Document[], embedder: TextEmbedder): Promise<DocumentIndex[]> {
  const embedded = await withVectors(documents, ({ content }) => content, embedder);
  return mapInTurns(
    embedded,
    ({ item }) => item.content,
    ({ item, vector }) => ({ ...toIndex(item), vector }),
  );
}
