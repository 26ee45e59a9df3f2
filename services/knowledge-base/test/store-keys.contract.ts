import { tokenize } from '@contextloom/retrieval';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentStore, KeyedDocument, RestoredWrite, Selection } from '../src/domain/store.ts';
import {
  derive,
  embedder,
  everyone,
  hitIds,
  seenBy,
  type TemporaryStore,
  toDocument,
  toWrites,
} from './support/stores.ts';

const AT = '2024-01-01T00:00:00.000Z';

const keyed = (id: string, content: string, ...keys: string[]): KeyedDocument => ({
  ...toDocument(id, content),
  ...(keys.length > 0 && { keys }),
});

/** What every adapter of the document store does alike with the further texts by which a document is found. */
export function describeKeys(name: string, open: () => Promise<TemporaryStore>): void {
  describe(`keys of documents, ${name}`, () => {
    const opened: TemporaryStore[] = [];
    let store: DocumentStore;
    const openOne = async (): Promise<DocumentStore> => {
      const subject = await open();
      opened.push(subject);
      return subject.store;
    };
    beforeEach(async () => {
      store = await openOne();
    });
    afterAll(() => Promise.all(opened.map(({ remove }) => remove())));

    const put = async (...documents: readonly KeyedDocument[]) =>
      store.put(await toWrites(...documents), { at: AT, keepOwners: true });
    const readOne = async (id: string) => (await store.read([id], everyone))[0];
    const find = async (query: string, { selection = everyone, from = store } = {}) => {
      const [vector = new Float32Array()] = await embedder.embed([query]);
      return from.find({ tokens: tokenize(query), vector }, selection satisfies Selection, 100);
    };
    const other = toDocument('other', 'the weather in spring');

    it('find it by their words and by nearness, and are no part of its content', async () => {
      await put(keyed('talk', 'ann: we did it!', 'Ann moved to Lyon', '林夕搬到了杭州'), other);
      const { byWords, byVector } = await find('Lyon');
      expect([hitIds(byWords), hitIds(byVector)[0]]).toEqual([['talk'], 'talk']);
      expect(hitIds((await find('杭州')).byWords)).toEqual(['talk']);
      const record = await readOne('talk');
      expect(record?.document).toMatchObject({
        content: 'ann: we did it!',
        keys: ['Ann moved to Lyon', '林夕搬到了杭州'],
      });
      expect((await readOne('other'))?.document).not.toHaveProperty('keys');
    });

    it('find nothing for those who may not see the document', async () => {
      const own = { ...keyed('talk', 'ann: we did it!', 'Ann moved to Lyon'), metadata: { user_id: 'ann' } };
      await put(own, other);
      expect(hitIds((await find('Lyon', { selection: seenBy('bob') })).byWords)).toEqual([]);
      expect(hitIds((await find('Lyon', { selection: seenBy('ann') })).byWords)).toEqual(['talk']);
    });

    it('go with a replacement that has none', async () => {
      await put(keyed('talk', 'ann: we did it!', 'Ann moved to Lyon'));
      await put(keyed('talk', 'ann: we did it!'));
      expect(hitIds((await find('Lyon')).byWords)).toEqual([]);
      expect((await readOne('talk'))?.document).not.toHaveProperty('keys');
    });

    it('are there after the index was rebuilt', async () => {
      await put(keyed('talk', 'ann: we did it!', 'Ann moved to Lyon'), other);
      await store.rebuild(derive);
      const { byWords, byVector } = await find('Lyon');
      expect([hitIds(byWords), hitIds(byVector)[0]]).toEqual([['talk'], 'talk']);
      expect((await readOne('talk'))?.document.keys).toEqual(['Ann moved to Lyon']);
    });

    it('move with the document to another store', async () => {
      const document = keyed('talk', 'ann: we did it!', 'Ann moved to Lyon');
      await put(document, other);
      const target = await openOne();
      for await (const held of store.scan(10)) {
        const writes = await toWrites(...held.map((one) => one.document));
        const restored = held.flatMap(({ document: stored, vector }, at): RestoredWrite[] => {
          const write = writes[at];
          return write === undefined || vector === undefined ? [] : [{ ...write, document: stored, vector }];
        });
        await target.restore(restored);
      }
      const { byWords, byVector } = await find('Lyon', { from: target });
      expect([hitIds(byWords), hitIds(byVector)[0]]).toEqual([['talk'], 'talk']);
      const [record] = await target.read(['talk'], everyone);
      expect(record?.document.keys).toEqual(document.keys);
    });
  });
}
