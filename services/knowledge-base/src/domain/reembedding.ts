import type { TextEmbedder } from './embedder.ts';
import { toIndexes } from './indexing.ts';
import type { DocumentStore, RebuildOptions } from './store.ts';

/** What a reembedding came to. */
export type ReembeddingReport =
  /** The store was filled by the embedder and nothing was unfinished. */
  | { readonly kind: 'needless' }
  /** How many documents are in the new index, and how many of them were derived now and not by a run that was cut off. */
  | { readonly kind: 'complete' | 'interrupted'; readonly documents: number; readonly derived: number };

/** What a reembedding works with. */
export interface ReembeddingOptions extends Pick<RebuildOptions, 'signal' | 'onProgress'> {
  readonly store: Pick<DocumentStore, 'rebuild' | 'indexState'>;
  readonly embedder: TextEmbedder;
  /** Whether the index is rebuilt even of a store that is filled by the embedder. */
  readonly all: boolean;
}

/**
 * Makes every vector of a store again with the embedder, and goes on with what an earlier run left for the same embedder.
 * @throws ContextloomError `conflict` when another rebuild begins meanwhile; what the store and the embedder throw
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
