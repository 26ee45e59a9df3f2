import { createTimeSlices } from '@contextloom/retrieval/scheduling';
import type { Entity, MemoryEvent } from './model.ts';
import type { EntityFilter, EventFilter, MemoryReader } from './store.ts';

/** What part of a list a call asks for. */
export interface PageRequest {
  readonly limit: number;
  /** How many are passed over first. */
  readonly offset: number;
}

/** A part of a list. */
export interface Listed<T> {
  readonly items: readonly T[];
  /** The offset of what comes after; undefined at the end. */
  readonly next: number | undefined;
}

/** Makes the page of a list that has one item more than asked for where there are more. */
export function toListed<T>(items: readonly T[], { limit, offset }: PageRequest): Listed<T> {
  return { items: items.slice(0, limit), next: items.length > limit ? offset + limit : undefined };
}

/** As many things as are read in a few milliseconds. */
const PAGE = 200;

/** Reads pages until one is not full, each from the last item of the page before; other calls are answered in between. */
async function* readPages<T>(read: (last: T | undefined) => readonly T[]): AsyncGenerator<readonly T[], void> {
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
