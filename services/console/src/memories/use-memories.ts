import { useInfiniteQuery } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import type { Kind, Memory, MemoryPage, NotAsked } from './memory.ts';

const PAGE = 100;
const HITS = 50;

/** What is asked for: a search, or everything, of one kind or of all. */
export interface MemoriesRequest {
  readonly query: string;
  readonly kind: Kind | undefined;
}

/** Begins the keys of all queries of memories: what changes a memory makes them stale. */
export const MEMORIES = 'memories';

/** Lists or searches the memories of the user, page by page. */
export function useMemories({ query, kind }: MemoriesRequest) {
  const { call } = useServer();
  const { user } = useUser();
  const asked = useInfiniteQuery({
    queryKey: [MEMORIES, user, query, kind],
    queryFn: ({ pageParam, signal }): Promise<MemoryPage> => {
      const args = { user_id: user, ...(kind !== undefined && { kind }) };
      if (query !== '') return call('recall', { user_id: user, query, limit: HITS }, { signal });
      const cursor = pageParam === '' ? {} : { cursor: pageParam };
      return call('list_memories', { ...args, limit: PAGE, ...cursor }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
  const pages = asked.data?.pages ?? [];
  const found = pages.flatMap(({ memories }) => memories);
  return {
    asked,
    // A search asks all stores: of one kind are those hits that are of it.
    memories: query === '' || kind === undefined ? found : found.filter(({ id }) => id.startsWith(`${kind}:`)),
    notAsked: toUnique(pages.flatMap(({ not_asked }) => not_asked)),
  } satisfies { readonly memories: readonly Memory[]; readonly notAsked: readonly NotAsked[]; readonly asked: object };
}

const toUnique = (notAsked: readonly NotAsked[]): readonly NotAsked[] => [
  ...new Map(notAsked.map((one) => [one.store, one])).values(),
];
