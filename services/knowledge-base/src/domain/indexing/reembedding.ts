import type { TextEmbedder } from '../embedder.ts';
import type { DocumentStore, RebuildOptions } from '../store.ts';
import { toIndexes } from './indexing.ts';

/** How a reembedding ended. */
export type ReembeddingReport =
  /** The store was filled by the embedder and nothing was unfinished. */
  | { readonly kind: 'needless' }
  /** How many documents the new index has, and how many of them this run derived; an interrupted run derived the others. */
  | { readonly kind: 'complete' | 'interrupted'; readonly documents: number; readonly derived: number };

/** Options of a reembedding. */
export interface ReembeddingOptions extends Pick<RebuildOptions, 'signal' | 'onProgress'> {
  readonly store: Pick<DocumentStore, 'rebuild' | 'indexState'>;
  readonly embedder: TextEmbedder;
  /** Whether to rebuild the index even where this embedder made it. */
  readonly all: boolean;
}

/**
 * Makes every vector of a store again with the embedder, and goes on with what an earlier run left for the same embedder.
 * @throws ContextloomError `conflict` when another rebuild begins during this one; errors of the store and the embedder
 */
export async function reembed({ store, embedder, all, ...rest }: ReembeddingOptions): Promise<ReembeddingReport> {
  if (!all && (await store.indexState()) === 'own') return { kind: 'needless' };
  let derived = 0;
  const { kind, documents } = await store.rebuild(
    async (batch) => {
      const indexes = await toIndexes(batch, embedder);
      derived += batch.length;
      return indexes;
    },
    { ...rest, resume: true },
  );
  return { kind, documents, derived };
}
