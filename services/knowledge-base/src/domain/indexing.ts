import type { Document } from '@contextloom/contracts';
import { type Tokens, tokenize } from '@contextloom/retrieval';
import type { DocumentIndex, DocumentWrite } from '../store/store.ts';
import { type TextEmbedder, withVectors } from './embedder.ts';
import { toAttributes } from './encoding.ts';
import { toOrder } from './order.ts';
import { MAX_QUERY_TOKENS } from './tuning.ts';
import { mapInTurns } from './turns.ts';

function toIndex(document: Document): Omit<DocumentIndex, 'vector'> {
  return { attributes: toAttributes(document), tokens: tokenize(document.content, { keepStopWords: true }) };
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

/** The tokens that a query is looked up by: each once, the first ones of a very long query. */
export function toQueryTokens(query: string): Tokens {
  const { terms, unigrams } = tokenize(query);
  const distinct = (tokens: readonly string[]) => [...new Set(tokens)].slice(0, MAX_QUERY_TOKENS);
  return { terms: distinct(terms), unigrams: distinct(unigrams) };
}
