import { ContextloomError } from '@contextloom/contracts';
import { type MemoryKind, memoryKinds } from '@contextloom/contracts/aggregator';
import { z } from 'zod';
import type { StoredMemory } from '../../domain/stores/stored-memory.ts';
import type { MemoryStore, StorePage } from './memory-store.ts';
import { openList, type StoreList, toTime } from './store-list.ts';

/** A store that could not be reached, and why. */
export interface NotAsked {
  readonly store: string;
  readonly reason: string;
}

/** A page over several stores. */
export interface ListedAcross {
  readonly memories: readonly (StoredMemory & { readonly kind: MemoryKind })[];
  readonly next?: string | undefined;
  readonly notAsked: readonly NotAsked[];
  /** How many memories there are on all pages, of the stores that answered; of the first page of a list that asked them all. */
  readonly total?: number | undefined;
}

/** Where the list of each store goes on: how many memories of the page behind a cursor were listed. A store at its end is absent. */
const cursorSchema = z.partialRecord(z.enum(memoryKinds), z.tuple([z.int().min(0), z.string()]));

function parseCursor(cursor: string): z.output<typeof cursorSchema> {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (cause) {
    const message = 'cursor must be the next_cursor of the page before';
    throw new ContextloomError('invalid', message, { field: 'cursor', cause });
  }
}

/** The lists of the stores, each where the page before ended. @throws ContextloomError `invalid` for a cursor of another list */
function openLists(stores: readonly MemoryStore[], { cursor, ...page }: StorePage): readonly StoreList[] {
  if (cursor === undefined) return stores.map((store) => openList(store, page, { skip: 0, cursor: '' }));
  const places = parseCursor(cursor);
  return stores.flatMap((store) => {
    const [skip, within] = places[store.kind] ?? [];
    return skip === undefined || within === undefined ? [] : [openList(store, page, { skip, cursor: within })];
  });
}

/** The list whose next memory comes first: the newest of all, or that of the first store that has any. */
async function findFirst(lists: readonly StoreList[], isByTime: boolean): Promise<StoreList | undefined> {
  if (!isByTime) {
    for (const list of lists) if ((await list.peek()) !== undefined) return list;
    return undefined;
  }
  const heads = await Promise.all(lists.map(async (list) => ({ list, memory: await list.peek() })));
  const there = heads.flatMap(({ list, memory }) => (memory === undefined ? [] : [{ list, time: toTime(memory) }]));
  return there.reduce<(typeof there)[number] | undefined>(
    (first, one) => (first === undefined || one.time > first.time ? one : first),
    undefined,
  )?.list;
}

/** How many memories lists have that were read from their beginning; undefined where one of them cannot tell. */
function addUp(lists: readonly StoreList[]): number | undefined {
  const totals = lists.filter((list) => list.failure() === undefined).map((list) => list.total());
  return totals.reduce<number | undefined>(
    (sum, total) => (sum === undefined || total === undefined ? undefined : sum + total),
    0,
  );
}

/**
 * Lists stores one after the other, or all of them newest first, page by page; one that does not answer is passed over and named.
 * A page may be shorter than its limit, and have a next one, where a filter leaves out much of what a store lists.
 */
export async function listAcross(stores: readonly MemoryStore[], page: StorePage): Promise<ListedAcross> {
  const lists = openLists(stores, page);
  const memories: (StoredMemory & { readonly kind: MemoryKind })[] = [];
  while (memories.length < page.limit) {
    const first = await findFirst(lists, page.filter?.order === 'newest');
    const memory = await first?.peek();
    // A list that is tired may have newer ones.
    if (first === undefined || memory === undefined || lists.some((list) => list.isTired())) break;
    first.pass();
    memories.push({ ...memory, kind: first.store.kind });
  }
  const places = lists.flatMap((list) => {
    const place = list.place();
    return place === undefined ? [] : [[list.store.kind, [place.skip, place.cursor]]];
  });
  return {
    memories,
    notAsked: toUnique(
      lists.flatMap(({ store, failure }) => {
        const reason = failure();
        return reason === undefined ? [] : [{ store: store.service, reason }];
      }),
    ),
    ...(page.cursor === undefined && { total: addUp(lists) }),
    ...(places.length > 0 && { next: Buffer.from(JSON.stringify(Object.fromEntries(places))).toString('base64url') }),
  };
}

/** One store may keep several kinds: what is wrong with it is reported once. */
export function toUnique(notAsked: readonly NotAsked[]): readonly NotAsked[] {
  return [...new Map(notAsked.map((one) => [`${one.store} ${one.reason}`, one])).values()];
}
