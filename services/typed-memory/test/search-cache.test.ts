import { memoryTypes } from '@contextloom/contracts/typed-memory';
import { describe, expect, it } from '@jest/globals';
import { createSearchCache } from '../src/cache/search-cache.ts';
import type { FoundMemory } from '../src/domain/memory.ts';

/** A store that says how often it was searched, and whose marks a test sets. */
function openCounted() {
  const state = { searches: 0, mark: 'a' as string | undefined, now: 0 };
  const cache = createSearchCache({
    store: {
      search: async (): Promise<readonly FoundMemory[]> => {
        state.searches += 1;
        return [{ id: `found ${state.searches}`, type: 'core', content: '' }];
      },
      mark: async () => state.mark,
    },
    now: () => state.now,
  });
  const ask = async (user = 'ann', query = 'tea') =>
    (await cache.search(user, { query, types: memoryTypes, limit: 5 })).map(({ id }) => id);
  return { state, cache, ask };
}

describe('the cache of searches', () => {
  it('answers what is asked more often from memory, for the same user, query and limit alone', async () => {
    const { state, ask } = openCounted();
    for (const expected of ['found 1', 'found 2', 'found 2', 'found 2']) expect(await ask()).toEqual([expected]);
    await ask('bob');
    await ask('ann', 'coffee');
    expect(state.searches).toBe(4);
  });

  it('searches again once the store has another mark, after a write here, and after ten seconds', async () => {
    const { state, cache, ask } = openCounted();
    await ask();
    await ask();
    state.mark = 'b';
    expect(await ask()).toEqual(['found 3']);
    expect(await ask()).toEqual(['found 3']);
    cache.forget('ann');
    expect(await ask()).toEqual(['found 4']);
    await ask();
    state.now = 10_001;
    expect(await ask()).toEqual(['found 6']);
  });

  it('keeps nothing where something is being written', async () => {
    const { state, ask } = openCounted();
    state.mark = undefined;
    for (const expected of ['found 1', 'found 2', 'found 3']) expect(await ask()).toEqual([expected]);
  });
});
