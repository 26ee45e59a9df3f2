import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { toOtherYears } from './days.ts';
import type { Kind, Memory, MemoryPage, NotAsked } from './memory.ts';

const PAGE = 100;
const HITS = 50;

/** What is requested: a search, or everything, of one kind or of all. */
export interface MemoriesRequest {
  readonly query: string;
  readonly kind?: Kind | undefined;
  readonly tag?: string | undefined;
  /** The first and the last day, as `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The words that named these days. */
  readonly when?: string | undefined;
  /** A day that is looked for in the years before its own. */
  readonly inOtherYears?: string | undefined;
}

/** Whether anything is left out. */
export const isNarrowed = ({ query, ...filter }: MemoriesRequest): boolean =>
  query !== '' || Object.values(filter).some((value) => value !== undefined);

/** Begins the keys of all queries of memories: what changes a memory makes them stale. */
export const MEMORIES = 'memories';

interface FoundMemories {
  readonly result: object;
  readonly memories: readonly Memory[];
  readonly notAsked: readonly NotAsked[];
  readonly withheld: number;
  /** How many memories the filters leave, on all pages; undefined of a search, which finds the best of them. */
  readonly total: number | undefined;
}

/** Lists the memories of the user newest first, page by page, or searches them. */
export function useMemories(request: MemoriesRequest) {
  const { call } = useServer();
  const { user } = useUser();
  const result = useInfiniteQuery({
    queryKey: [MEMORIES, user, request],
    queryFn: async ({ pageParam: cursor, signal }): Promise<MemoryPage> => {
      const { query, kind, tag } = request;
      const ask = (time_range: string | undefined): Promise<MemoryPage> => {
        const narrowed = {
          user_id: user,
          ...(kind !== undefined && { kind }),
          ...(tag !== undefined && { tag }),
          ...(time_range !== undefined && { time_range }),
        };
        if (query !== '') return call('recall', { ...narrowed, query, limit: HITS }, { signal });
        const page = { limit: PAGE, order: 'newest' as const, ...(cursor !== '' && { cursor }) };
        return call('list_memories', { ...narrowed, ...page }, { signal });
      };
      return toOnePage(await Promise.all(toRanges(request).map(ask)));
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
  const pages = result.data?.pages ?? [];
  return {
    result,
    memories: pages.flatMap(({ memories }) => memories),
    notAsked: toUnique(pages.flatMap(({ not_asked }) => not_asked)),
    withheld: pages.reduce((sum, { instructions_left_out: left = 0 }) => sum + left, 0),
    total: pages[0]?.total,
  } satisfies FoundMemories;
}

/** How many memories the user has, where not all of them are listed. */
export function useTotal(request: MemoriesRequest): number | undefined {
  const { call } = useServer();
  const { user } = useUser();
  const isSome = request.query === '' && isNarrowed(request);
  const { data } = useQuery({
    queryKey: [MEMORIES, user, 'total'],
    queryFn: ({ signal }) => call('list_memories', { user_id: user, limit: 1, order: 'newest' }, { signal }),
    enabled: isSome,
  });
  return isSome ? data?.total : undefined;
}

/** The ranges of days that are requested one by one; one that is open where all days are meant. */
function toRanges({ from = '', to = '', inOtherYears }: MemoriesRequest): readonly (string | undefined)[] {
  if (inOtherYears !== undefined) return toOtherYears(inOtherYears).map((day) => `${day}..${day}`);
  return [from + to === '' ? undefined : `${from}..${to}`];
}

/** Joins what several ranges have; of a single one also where its next page begins. */
function toOnePage(pages: readonly MemoryPage[]): MemoryPage {
  const [first, ...others] = pages;
  if (first !== undefined && others.length === 0) return first;
  return {
    memories: pages.flatMap(({ memories }) => memories),
    ...(pages.every(({ total }) => total !== undefined) && {
      total: pages.reduce((sum, { total = 0 }) => sum + total, 0),
    }),
    not_asked: pages.flatMap(({ not_asked }) => not_asked),
    instructions_left_out: pages.reduce((sum, { instructions_left_out: left = 0 }) => sum + left, 0),
  };
}

const toUnique = (notAsked: readonly NotAsked[]): readonly NotAsked[] => [
  ...new Map(notAsked.map((one) => [one.store, one])).values(),
];
