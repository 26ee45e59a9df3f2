import type { StoredMemory } from '../../domain/stores/stored-memory.ts';
import type { ListFilter, MemoryStore, StoredPage, StorePage } from './memory-store.ts';

/** Where a store's list goes on: behind so many memories of the page of a cursor, which is empty for the first. */
export interface ListPlace {
  readonly skip: number;
  readonly cursor: string;
}

/** The list of one store, read memory by memory. */
export interface StoreList {
  readonly store: MemoryStore;
  /** The next memory under the filter, read once; undefined at the end, and when it is tired. */
  readonly peek: () => Promise<StoredMemory | undefined>;
  /** Goes on behind the memory that `peek` gave. */
  readonly pass: () => void;
  /** Where it goes on; undefined at its end. */
  readonly place: () => ListPlace | undefined;
  /** How many memories the filter leaves of the store; undefined before anything was read, and where it cannot tell. */
  readonly total: () => number | undefined;
  /** Why the store did not answer. */
  readonly failure: () => string | undefined;
  /** Whether it has read as many pages as one call reads: the next call goes on. */
  readonly isTired: () => boolean;
}

/** Most pages of a store that one call reads: a filter that a store does not know may leave out most of its list. */
const MAX_PAGES = 10;

/** The time of a memory in epoch milliseconds; one without a date is older than all others. */
export function toTime({ time = '' }: StoredMemory): number {
  const at = Date.parse(time);
  return Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at;
}

type Standing = 'here' | 'later' | 'end';

/** Whether a memory belongs into a list, the next may, or none behind it does. */
function standingOf(memory: StoredMemory, { range, order }: ListFilter = {}): Standing {
  if (range === undefined) return 'here';
  const time = toTime(memory);
  if (time >= range.from && time < range.to) return 'here';
  return order === 'newest' && time < range.from ? 'end' : 'later';
}

/** Reads a store's list from a place on. */
export function openList(
  store: MemoryStore,
  { limit, filter }: Omit<StorePage, 'cursor'>,
  begin: ListPlace,
): StoreList {
  let place: ListPlace | undefined = begin;
  let page: StoredPage | undefined;
  let [pages, failure]: [number, string | undefined] = [0, undefined];
  let total: number | undefined;

  async function read({ cursor }: ListPlace): Promise<StoredPage | undefined> {
    pages += 1;
    const answer = await store.list({ limit, filter, ...(cursor !== '' && { cursor }) });
    if (answer.kind === 'ok') {
      total ??= answer.value.total;
      return answer.value;
    }
    failure = answer.reason;
    return undefined;
  }

  const isTired = () => page === undefined && place !== undefined && pages >= MAX_PAGES;

  async function peek(): Promise<StoredMemory | undefined> {
    while (place !== undefined && !isTired()) {
      page ??= await read(place);
      const memory = page?.memories[place.skip];
      const standing = memory && standingOf(memory, filter);
      if (standing === 'here') return memory;
      if (page === undefined || standing === 'end') place = undefined;
      else if (standing === 'later') pass();
      else turn(page, place);
    }
    return undefined;
  }

  function turn({ memories, next }: StoredPage, { skip }: ListPlace): void {
    // A page of another limit than the call before may be shorter than what was listed of it.
    place = next === undefined ? undefined : { cursor: next, skip: Math.max(0, skip - memories.length) };
    page = undefined;
  }

  function pass(): void {
    if (place === undefined) return;
    place = { ...place, skip: place.skip + 1 };
    if (page !== undefined && place.skip >= page.memories.length) turn(page, place);
  }

  return { store, peek, pass, place: () => place, total: () => total, failure: () => failure, isTired };
}
