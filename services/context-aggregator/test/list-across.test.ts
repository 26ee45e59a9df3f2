import { describe, expect, it } from '@jest/globals';
import { listAcross } from '../src/sources/stores/list-across.ts';
import type { MemoryStore, StorePage } from '../src/sources/stores/memory-store.ts';

/** A store in memory of this process, which lists as the real ones do: by offset, and by its own order. */
function createStore(kind: MemoryStore['kind'], times: readonly (string | undefined)[], largest = 100): MemoryStore {
  const refuse = () => Promise.reject(new Error('not asked'));
  return {
    kind,
    service: `store of ${kind}`,
    recall: refuse,
    get: refuse,
    update: refuse,
    remove: refuse,
    list: async ({ limit, cursor = '0' }) => {
      const [from, length] = [Number(cursor), Math.min(limit, largest)];
      const memories = times.slice(from, from + length).map((time, at) => ({
        own: String(from + at),
        text: `${kind} ${from + at}`,
        time,
      }));
      const end = from + length;
      return { kind: 'ok', value: { memories, total: times.length, ...(end < times.length && { next: String(end) }) } };
    },
  };
}

const day = (at: number): string => new Date(Date.UTC(2026, 0, 1 + at)).toISOString();
/** Falling, each so many days after the next. */
const falling = (count: number, step: number): readonly string[] =>
  Array.from({ length: count }, (_one, at) => day((count - at) * step));

async function readAll(stores: readonly MemoryStore[], page: StorePage) {
  const [texts, sizes]: [string[], number[]] = [[], []];
  for (let cursor: string | undefined, more = true; more; ) {
    const listed = await listAcross(stores, { ...page, cursor });
    texts.push(...listed.memories.map(({ text }) => text));
    sizes.push(listed.memories.length);
    cursor = listed.next;
    more = cursor !== undefined;
  }
  return { texts, sizes };
}

const timesOf = (
  stores: readonly MemoryStore[],
  of: readonly (readonly (string | undefined)[])[],
  texts: readonly string[],
) =>
  texts.map((text) => {
    const [kind = '', at = ''] = text.split(' ');
    return of[stores.findIndex((store) => store.kind === kind)]?.[Number(at)];
  });

describe('a list over several stores', () => {
  const lists = [falling(37, 3), falling(250, 1), falling(5, 40), [...falling(9, 2), undefined]];
  const stores = [
    createStore('fact', lists[0] ?? []),
    createStore('event', lists[1] ?? [], 20),
    createStore('note', lists[2] ?? []),
    createStore('typed', lists[3] ?? []),
  ];
  const everything = lists.flatMap((times, at) => times.map((_time, own) => `${stores[at]?.kind} ${own}`));

  it.each([1, 10, 33, 100])('is in the order of the stores, in pages of %i', async (limit) => {
    const { texts, sizes } = await readAll(stores, { limit });
    expect(texts).toEqual(everything);
    // Where a list ends with a page, none follows.
    expect(sizes).not.toContain(0);
  });

  it('says on its first page how many there are, where all stores were asked', async () => {
    const byTime = { order: 'newest' } as const;
    const first = await listAcross(stores, { limit: 1, filter: byTime });
    expect(first.total).toBe(everything.length);
    expect((await listAcross(stores, { limit: 1, filter: byTime, cursor: first.next })).total).toBeUndefined();
    // In the order of the stores the first is enough for a page.
    expect((await listAcross(stores, { limit: 1 })).total).toBeUndefined();
  });

  it.each([1, 10, 33, 100])(
    'is newest first when asked, in pages of %i: nothing lost, nothing twice',
    async (limit) => {
      const { texts, sizes } = await readAll(stores, { limit, filter: { order: 'newest' } });
      expect([...texts].sort()).toEqual([...everything].sort());
      const times = timesOf(stores, lists, texts);
      const dated = times.filter((time) => time !== undefined);
      expect(times).toEqual([...[...dated].sort().reverse(), undefined]);
      expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
    },
  );

  it('goes on with another size of page', async () => {
    const first = await listAcross(stores, { limit: 50, filter: { order: 'newest' } });
    const texts = first.memories.map(({ text }) => text);
    for (let cursor = first.next, limit = 3; cursor !== undefined; limit += 5) {
      const { memories, next } = await listAcross(stores, { limit, cursor, filter: { order: 'newest' } });
      texts.push(...memories.map(({ text }) => text));
      cursor = next;
    }
    expect([...texts].sort()).toEqual([...everything].sort());
  });

  it.each([undefined, 'newest'] as const)('has what is of a time alone, in the order %s', async (order) => {
    const range = { from: Date.parse(day(10)), to: Date.parse(day(20)) };
    const { texts } = await readAll(stores, { limit: 10, filter: { order, range } });
    const expected = everything.filter((text) => {
      const [time = ''] = timesOf(stores, lists, [text]);
      return time >= day(10) && time < day(20);
    });
    expect([...texts].sort()).toEqual([...expected].sort());
  });

  it('answers before it has read very much of what a filter leaves out', async () => {
    const far = createStore('event', falling(1_000, 1), 7);
    const range = { from: Date.parse(day(3)), to: Date.parse(day(5)) };
    const first = await listAcross([far], { limit: 10, filter: { order: 'newest', range } });
    expect(first).toMatchObject({ memories: [], next: expect.any(String) });
    expect((await readAll([far], { limit: 10, filter: { order: 'newest', range } })).texts).toHaveLength(2);
  });

  it('passes over a store that does not answer, and names it', async () => {
    const failed: MemoryStore = {
      ...createStore('agent', []),
      list: async () => ({ kind: 'failed', code: 'unavailable', reason: 'is away' }),
    };
    for (const order of [undefined, 'newest'] as const) {
      const { memories, notAsked } = await listAcross([failed, ...stores], { limit: 500, filter: { order } });
      expect(memories.length).toBeGreaterThan(60);
      expect(notAsked).toEqual([{ store: 'store of agent', reason: 'is away' }]);
    }
  });

  it.each(['nothing', '', 'bnVsbA', Buffer.from('{"event":[-1,""]}').toString('base64url')])(
    'refuses the cursor %p',
    async (cursor) => {
      await expect(listAcross(stores, { limit: 1, cursor })).rejects.toMatchObject({
        code: 'invalid',
        field: 'cursor',
      });
    },
  );
});
