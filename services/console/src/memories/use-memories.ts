import { useInfiniteQuery } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import type { Kind, Memory, MemoryPage, NotAsked } from './memory.ts';

const PAGE = 100;
const HITS = 50;

/** What is asked for: a search, or everything, of one kind or of all. */
export interface MemoriesRequest {
  readonly query: string;
  readonly kind?: Kind | undefined;
  readonly tag?: string | undefined;
  /** The first and the last day, as `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Whether anything is left out. */
export const isNarrowed = ({ query, ...filter }: MemoriesRequest): boolean =>
  query !== '' || Object.values(filter).some((value) => value !== undefined);

/** Begins the keys of all queries of memories: what changes a memory makes them stale. */
export const MEMORIES = 'memories';

interface FoundMemories {
  readonly asked: object;
  readonly memories: readonly Memory[];
  readonly notAsked: readonly NotAsked[];
  readonly withheld: number;
}

/** Lists the memories of the user newest first, page by page, or searches them. */
export function useMemories(request: MemoriesRequest) {
  const { call } = useServer();
  const { user } = useUser();
  const asked = useInfiniteQuery({
    queryKey: [MEMORIES, user, request],
    queryFn: ({ pageParam: cursor, signal }): Promise<MemoryPage> => {
      const { query, kind, tag, from = '', to = '' } = request;
      const narrowed = {
        user_id: user,
        ...(kind !== undefined && { kind }),
        ...(tag !== undefined && { tag }),
        ...(from + to !== '' && { time_range: `${from}..${to}` }),
      };
      if (query !== '') return call('recall', { ...narrowed, query, limit: HITS }, { signal });
      const page = { limit: PAGE, order: 'newest' as const, ...(cursor !== '' && { cursor }) };
      return call('list_memories', { ...narrowed, ...page }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
  const pages = asked.data?.pages ?? [];
  return {
    asked,
    memories: pages.flatMap(({ memories }) => memories),
    notAsked: toUnique(pages.flatMap(({ not_asked }) => not_asked)),
    withheld: pages.reduce((sum, { instructions_left_out: left = 0 }) => sum + left, 0),
  } satisfies FoundMemories;
}

const toUnique = (notAsked: readonly NotAsked[]): readonly NotAsked[] => [
  ...new Map(notAsked.map((one) => [one.store, one])).values(),
];
