import { createTimeSlices } from '@contextloom/retrieval/scheduling';
import type { MemoryEvent } from './model.ts';
import type { EventFilter, MemoryReader } from './store.ts';

/** As many events as are read in a few milliseconds. */
const PAGE = 200;

/** Reads the events of a filter, newest first, in pages between which other calls are answered. */
export async function* readEventPages(
  memory: MemoryReader,
  filter: EventFilter,
): AsyncGenerator<readonly MemoryEvent[], void> {
  const run = createTimeSlices();
  for (let before = filter.before; ; ) {
    const from = before;
    const page = await run(() => memory.events({ ...filter, before: from }, { limit: PAGE }));
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    before = last;
  }
}
