import type { Isolation, KnowledgeBase } from '../knowledge-base.ts';
import type { DocumentStore } from '../store.ts';
import { toCounted } from './isolation.ts';

/** What a store has for a user, or for nobody. */
export async function readStats(
  userId: string | undefined,
  { store, isolation }: { readonly store: DocumentStore; readonly isolation: Isolation },
): ReturnType<KnowledgeBase['stats']> {
  const { documents, vectors, tags } = await store.stats(toCounted(isolation, userId));
  const rebuilding = store.upgradeProgress();
  return {
    document_count: documents,
    vector_count: vectors,
    ...(vectors < documents && { waiting_count: documents - vectors }),
    tag_count: tags.length,
    tags: [...tags],
    status: 'running',
    ...(rebuilding && { rebuilding: { ...rebuilding } }),
  };
}
