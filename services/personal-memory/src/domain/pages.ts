import { createTimeSlices } from '@contextloom/runtime/scheduling';
import type { Entity, MemoryEvent } from './model.ts';
import type { EntityFilter, EventFilter, MemoryReader } from './store.ts';

/** The page of a list that a call asks for. */
export interface PageRequest {
  readonly limit: number;
  /** How many items to skip. */
  readonly offset: number;
}

/** A page of a list. */
export interface Listed<T> {
  readonly items: readonly T[];
  /** How many there are on all pages; of a first page with others behind it. */
  readonly total?: number | undefined;
  /** The offset of the next page; undefined on the last one. */
  readonly next: number | undefined;
}

/** Makes a page from items that were read with a limit of one more, which shows whether another page follows. */
export function toListed<T>(items: readonly T[], { limit, offset }: PageRequest): Listed<T> {
  return { items: items.slice(0, limit), next: items.length > limit ? offset + limit : undefined };
}

/** Reads a page of a list, and with the first how many there are, unless it has them all. */
export async function readListed<T>(
  read: (page: PageRequest) => Promise<readonly T[]>,
  count: () => Promise<number>,
  page: PageRequest,
): Promise<Listed<T>> {
  const listed = toListed(await read({ ...page, limit: page.limit + 1 }), page);
  return page.offset > 0 || listed.next === undefined ? listed : { ...listed, total: await count() };
}

/** As many things as are read in a few milliseconds. */
const PAGE = 200;

/** Reads pages until one is not full, each from the last item of the page before; other calls are answered in between. */
async function* readPages<T>(read: (last: T | undefined) => Promise<readonly T[]>): AsyncGenerator<readonly T[], void> {
  const run = createTimeSlices();
  for (let last: T | undefined; ; ) {
    const from = last;
    const page = await run(() => read(from));
    if (page.length > 0) yield page;
    last = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/** Reads the entities of a filter in the order of their creation, in pages. */
export function readEntityPages(
  memory: MemoryReader,
  filter: EntityFilter = {},
): AsyncGenerator<readonly Entity[], void> {
  return readPages((last) => memory.entities({ ...filter, after: last?.id ?? 0 }, { limit: PAGE }));
}

/** Reads the events of a filter, newest first, in pages. */
export function readEventPages(
  memory: MemoryReader,
  filter: EventFilter,
): AsyncGenerator<readonly MemoryEvent[], void> {
  return readPages((last) => memory.events({ ...filter, before: last ?? filter.before }, { limit: PAGE }));
}
