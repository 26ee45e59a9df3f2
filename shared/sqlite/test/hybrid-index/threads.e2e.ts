import { tokenize } from '@contextloom/retrieval';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeFolder, removeFolder } from '../temporary-folder.ts';
import { embed, type Notes, openNotes, searchNaively, toFound, toWrongQuery } from './notes.ts';
import { numbered } from './search-property.ts';

let folder: string;
const opened: Notes[] = [];
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((notes) => notes.close()));
  removeFolder(folder);
});

function open(options: Parameters<typeof openNotes>[1] = {}): Notes {
  const notes = openNotes(folder, options);
  opened.push(notes);
  return notes;
}

describe('a hybrid index that is read in threads', () => {
  it('finds the same there as in this one, during writes of another connection', async () => {
    const writer = open();
    await writer.index.claim();
    const all = [...numbered(300)];
    await writer.put(all);
    const places = [
      { threads: 1, threadsFromRows: 0, cacheBytes: 0 },
      { threads: 2, threadsFromRows: 100, cacheBytes: 400_000 },
      { threads: 3, threadsFromRows: 0, cacheBytes: 2 ** 22 },
      { threads: 0, cacheBytes: 2 ** 22 },
    ].map((place) => open(place));
    for (const round of [1, 2]) {
      for (const owner of ['ann', undefined, 'bob', undefined]) {
        const query = `tea number ${round * 7} 茶`;
        const expected = searchNaively(all, query, owner, 50);
        const found = await Promise.all(places.map(async (notes) => toFound(await notes.search(query, owner, 50))));
        for (const one of found) expect(one).toEqual(expected);
      }
      const changed = { id: 'n-7', owner: 'ann', text: `changed tea ${round}` };
      all[7] = changed;
      await writer.put([changed]);
    }
  });

  it('is searched by every thread from the new index once it is swapped, whatever was cached', async () => {
    const one = open();
    await one.index.claim();
    await one.put(Array.from({ length: 200 }, (_, at) => ({ id: `n-${at}`, owner: 'ann', text: `tea number ${at}` })));
    const threaded = open({ threads: 1, threadsFromRows: 0, cacheBytes: 2 ** 22 });
    expect((await threaded.search('tea', undefined, 300)).byWords).toHaveLength(200);
    const entry = one.index.toEntry(tokenize('other'), embed('io'));
    await one.index.rebuild({ derive: async (rows) => (await one.derive(rows)).map(({ row }) => ({ row, entry })) });
    expect((await threaded.search('tea', undefined, 300)).byWords).toHaveLength(0);
    expect((await threaded.search('other', undefined, 300)).byWords).toHaveLength(200);
  });

  it('refuses a vector of other dimensions', async () => {
    const notes = open({ threads: 1, threadsFromRows: 0 });
    await notes.index.claim();
    await expect(notes.index.search(toWrongQuery())).rejects.toMatchObject({ code: 'internal' });
  });
});
