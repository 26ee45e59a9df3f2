import type { TextEmbedder } from '../embedder.ts';
import type { DocumentStore } from '../store.ts';
import { toIndexes } from './indexing.ts';

interface RebuildOptions {
  readonly store: DocumentStore;
  readonly embedder: TextEmbedder;
  readonly log?: { info(fields: object, message: string): void } | undefined;
}

/** Makes what is derived of all documents again; answers how many there are. */
export async function rebuildIndex({ store, embedder, log }: RebuildOptions): Promise<number> {
  let done = 0;
  const { documents: count } = await store.rebuild(async (documents) => {
    const indexes = await toIndexes(documents, embedder);
    done += documents.length;
    log?.info({ documents: done }, 'rebuild the index');
    return indexes;
  });
  return count;
}
