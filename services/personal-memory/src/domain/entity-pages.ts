import { createTimeSlices } from '@contextloom/retrieval/scheduling';
import type { Entity } from './model.ts';
import type { EntityFilter, MemoryReader } from './store.ts';

/** As many entities as are read in a few milliseconds. */
const PAGE = 200;

/** Reads the entities of a filter, in the order of their creation, in pages between which other calls are answered. */
export async function* readEntityPages(
  memory: MemoryReader,
  filter: EntityFilter = {},
): AsyncGenerator<readonly Entity[], void> {
  const run = createTimeSlices();
  for (let after = 0; ; ) {
    const from = after;
    const page = await run(() => memory.entities({ ...filter, after: from }, { limit: PAGE }));
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}
