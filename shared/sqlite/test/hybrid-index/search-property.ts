import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { HybridHits } from '../../src/index.ts';
import { makeFolder, removeFolder } from '../temporary-folder.ts';
import { type Note, type Notes, openNotes, searchNaively, toFound } from './notes.ts';

export const words = ['tea', 'rice', 'train', 'harbour', 'tea tea', 'io', '茶', '喝茶', '月亮', '猫'];
export const owners = ['ann', 'bob'];

/** So many notes, the same ones each time. */
export const numbered = (count: number): readonly Note[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `n-${at}`,
    owner: owners[at % 2] ?? '',
    text: `${words[at % words.length]} number ${at} ${'tea '.repeat(at % 4)}`,
  }));

const note = fc.record({
  id: fc.stringMatching(/^[a-f]{1,2}$/),
  owner: fc.constantFrom(...owners),
  text: fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((parts) => parts.join(' ')),
});
const step = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('put' as const), note }), weight: 5 },
  {
    arbitrary: fc.record({ kind: fc.constantFrom('remove' as const, 'search' as const, 'rebuild' as const), note }),
    weight: 2,
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** How the notes are opened: with how much memory, and how many threads. */
type Place = Parameters<typeof openNotes>[1];

async function perform({ kind, note: one }: Step, notes: Notes, known: Map<string, Note>): Promise<void> {
  if (kind === 'put') {
    known.set(one.id, one);
    await notes.put([one]);
  } else if (kind === 'remove') {
    known.delete(one.id);
    await notes.remove(one.id);
  } else if (kind === 'rebuild') await notes.index.rebuild({ derive: notes.derive });
}

/** Holds that hits are the best of all by their definitions; which of equal scores comes first, the last bits may decide. */
function expectBest(hits: HybridHits, all: ReturnType<typeof searchNaively>, limit: number): void {
  const found = toFound(hits);
  for (const list of ['byWords', 'byVector'] as const) {
    expect(found[list].map(([, score]) => score)).toEqual(all[list].slice(0, limit).map(([, score]) => score));
    const scores = new Map(all[list]);
    for (const [key, score] of found[list]) expect([key, scores.get(key)]).toEqual([key, score]);
    expect(new Set(found[list].map(([key]) => key)).size).toBe(found[list].length);
  }
}

/**
 * Holds that whatever is written, removed and rebuilt in the first of some places, a search in each of them finds what the
 * definitions of BM25 and the cosine give, in the same order.
 */
export async function expectSameFindings(places: readonly Place[], { runs, most }: { runs: number; most: number }) {
  const property = fc.asyncProperty(
    fc.nat(most),
    fc.array(step, { minLength: 1, maxLength: 25 }),
    fc.integer({ min: 1, max: 12 }),
    async (before, steps, limit) => {
      const folder = makeFolder();
      const opened = places.map((place) => openNotes(folder, place));
      const expectSame = async (query: string, known: ReadonlyMap<string, Note>): Promise<void> => {
        for (const owner of [...owners, undefined]) {
          const [first, ...others] = await Promise.all(opened.map((notes) => notes.search(query, owner, limit)));
          for (const other of others) expect(other).toEqual(first);
          if (first !== undefined)
            expectBest(first, searchNaively([...known.values()], query, owner, known.size), limit);
        }
      };
      try {
        const [writer] = opened;
        if (writer === undefined) throw new Error('there is no place to write in');
        await writer.index.claim();
        await writer.put(numbered(before));
        const known = new Map(numbered(before).map((one) => [one.id, one]));
        for (const one of steps) {
          await perform(one, writer, known);
          if (one.kind === 'search') await expectSame(one.note.text, known);
        }
        await expectSame('tea 喝茶 train', known);
      } finally {
        await Promise.all(opened.map((notes) => notes.close()));
        removeFolder(folder);
      }
    },
  );
  await fc.assert(property, { numRuns: runs });
}
