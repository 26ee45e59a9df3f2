import { ContextloomError } from '@contextloom/contracts';
import { createLazy } from '@contextloom/runtime/scheduling';
import type { GraphStore } from '../domain/graph-store.ts';

const NONE = 'the composition has no personal memory';

/** A graph store that is opened when it is first needed; one that is not there takes nothing. */
export function createLazyGraphStore(open: () => Promise<GraphStore | undefined>): GraphStore {
  const { get, current } = createLazy(open);
  return {
    add: async (userId, importId, batch) => (await get())?.add(userId, importId, batch) ?? { refused: NONE },
    remove: async (userId, importId) => {
      const store = await get();
      if (store === undefined) throw new ContextloomError('unavailable', `${NONE}, and this import added to one`);
      return store.remove(userId, importId);
    },
    close: async () => (await current())?.close(),
  };
}
