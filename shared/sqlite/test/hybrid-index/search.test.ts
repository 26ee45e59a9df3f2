import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeFolder, removeFolder } from '../temporary-folder.ts';
import { type Notes, openNotes, toWrongQuery } from './notes.ts';
import { expectSameFindings, numbered } from './search-property.ts';

let folder: string;
const opened: Notes[] = [];
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((notes) => notes.close()));
  removeFolder(folder);
});

function open(...args: Parameters<typeof openNotes> extends [string, ...infer Rest] ? Rest : never): Notes {
  const notes = openNotes(folder, ...args);
  opened.push(notes);
  return notes;
}

describe('a hybrid index', () => {
  it('finds what the definitions of BM25 and the cosine give, whatever is cached and in whatever order it was written', async () => {
    expect.hasAssertions();
    await expectSameFindings([{ cacheBytes: 0 }, { cacheBytes: 700_000 }, { cacheBytes: 2 ** 22 }], {
      runs: 15,
      most: 40,
    });
  });

  it('scores a user’s texts by that user’s alone, whatever others write and however many match', async () => {
    const notes = open({ cacheBytes: 2 ** 22 });
    await notes.index.claim();
    await notes.put(numbered(2_400).map((one) => ({ ...one, text: `tea ${one.text}` })));
    const before = await notes.search('tea harbour', 'ann', 20);
    await notes.put(numbered(1_500).map((one) => ({ ...one, id: `bob-${one.id}`, owner: 'bob' })));
    expect(await notes.search('tea harbour', 'ann', 20)).toEqual(before);
  });

  it('sees what is written, moved and removed between two searches of thousands, in each of two caches', async () => {
    const [notes, plain] = [open({ cacheBytes: 2 ** 22 }), open({ cacheBytes: 0 })];
    await notes.index.claim();
    await notes.put(numbered(1_500));
    const expectSame = async () => {
      for (const query of ['tea harbour', 'tea', 'tea harbour']) {
        expect(await notes.search(query, 'ann', 30)).toEqual(await plain.search(query, 'ann', 30));
      }
    };
    await expectSame();
    await notes.put([{ id: 'new', owner: 'ann', text: 'tea harbour' }]);
    await expectSame();
    expect((await notes.search('tea harbour', 'ann')).byWords.map(({ key }) => key)).toContain('new');
    await notes.put([{ id: 'new', owner: 'bob', text: 'tea harbour' }]);
    await expectSame();
    expect((await notes.search('tea harbour', 'ann')).byWords.map(({ key }) => key)).not.toContain('new');
    await notes.remove(numbered(1)[0]?.id ?? '');
    await expectSame();
  });

  it('orders what is equally good by key, among the last hits too', async () => {
    const notes = open();
    await notes.index.claim();
    const ids = ['k', 'b', 'z', 'a', 'm', 'c'];
    await notes.put(ids.map((id) => ({ id, owner: 'ann', text: 'tea' })));
    const { byWords, byVector } = await notes.search('tea', 'ann', 4);
    expect(byWords.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'k']);
    expect(byVector.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'k']);
  });

  it('tells both scores of every hit, whichever list it came from', async () => {
    const notes = open();
    await notes.index.claim();
    await notes.put(numbered(30));
    const hits = await notes.search('tea harbour', undefined, 5);
    const wide = await notes.search('tea harbour', undefined, 30);
    const exact = new Map(wide.byVector.map(({ key, vector, words: score }) => [key, { vector, words: score }]));
    for (const { key, vector, words: score } of [...hits.byWords, ...hits.byVector]) {
      expect(exact.get(key)).toEqual({ vector, words: score });
    }
  });

  it('refuses a vector of other dimensions', async () => {
    const notes = open();
    await notes.index.claim();
    await expect(notes.index.search(toWrongQuery())).rejects.toMatchObject({ code: 'internal' });
  });
});
