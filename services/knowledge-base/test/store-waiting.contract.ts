import { ContextloomError } from '@contextloom/contracts';
import { tokenize } from '@contextloom/retrieval';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentStore, DocumentWrite } from '../src/domain/store.ts';
import { derive, embedder, everyone, hitIds, type TemporaryStore, toDocument, toWrites } from './support/stores.ts';

const AT = '2024-01-01T00:00:00.000Z';

/** What every adapter of the document store does alike with documents whose vectors are made later. */
export function describeWaiting(name: string, open: () => Promise<TemporaryStore>): void {
  describe(`documents without vectors, ${name}`, () => {
    const opened: TemporaryStore[] = [];
    let store: DocumentStore;
    beforeEach(async () => {
      const subject = await open();
      opened.push(subject);
      store = subject.store;
      const [first, second] = await toWrites(toDocument('a', 'Rex is a terrier'), toDocument('b', 'Tom is a cat'));
      if (first === undefined || second === undefined) throw new Error('there are two');
      await put(first, { ...second, vector: null });
    });
    afterAll(() => Promise.all(opened.map(({ remove }) => remove())));

    const put = (...writes: readonly DocumentWrite[]) => store.put(writes, { at: AT, keepOwners: true });
    const count = async () => {
      const { documents, vectors } = await store.stats(everyone.visible);
      return { documents, vectors };
    };
    const find = async (query: string) => {
      const [vector = new Float32Array()] = await embedder.embed([query]);
      return store.find({ tokens: tokenize(query), vector }, everyone, 10);
    };
    const cosineOf = async (query: string, id: string): Promise<number> =>
      (await find(query)).byVector.find(({ candidate }) => candidate.id === id)?.score ?? 0;

    it('are counted, found by their words, and near to nothing', async () => {
      expect(await count()).toEqual({ documents: 2, vectors: 1 });
      expect(hitIds((await find('Tom')).byWords)).toEqual(['b']);
      expect(await cosineOf('Tom is a cat', 'b')).toBe(0);
      expect(await cosineOf('Rex is a terrier', 'a')).toBeGreaterThan(0.9);
    });

    it('get their vectors once, and stay what they were', async () => {
      const before = await store.read(['b'], everyone);
      const asked: string[] = [];
      const embed: typeof embedder.embed = (texts, signal) => {
        asked.push(...texts);
        return embedder.embed(texts, signal);
      };
      expect(await store.embedWaiting(embed)).toBe(1);
      expect(await store.embedWaiting(embed)).toBe(0);
      expect(asked).toEqual(['Tom is a cat']);
      expect(await count()).toEqual({ documents: 2, vectors: 2 });
      expect(await cosineOf('Tom is a cat', 'b')).toBeGreaterThan(0.9);
      expect((await store.read(['b'], everyone)).map(({ document }) => document)).toEqual(
        before.map(({ document }) => document),
      );
    });

    it('that are replaced meanwhile get no vector of their former text', async () => {
      const [write] = await toWrites(toDocument('b', 'Tom is a parrot'));
      if (write === undefined) throw new Error('there is one');
      const made = await store.embedWaiting(async (texts) => {
        await put({ ...write, vector: null });
        return embedder.embed(texts);
      });
      expect({ made, ...(await count()) }).toEqual({ made: 0, documents: 2, vectors: 1 });
      expect(await store.embedWaiting((texts) => embedder.embed(texts))).toBe(1);
      expect(await cosineOf('Tom is a parrot', 'b')).toBeGreaterThan(0.9);
    });

    it('go on waiting when only their tags change', async () => {
      const [record] = await store.read(['b'], everyone);
      const [write] = await toWrites(toDocument('b', 'Tom is a cat', { tags: ['pet'] }));
      if (record === undefined || write === undefined) throw new Error('there is one');
      const { vector: _, ...tagged } = write;
      expect(await store.replace(record.revision, tagged, { at: AT })).not.toBe('stale');
      expect(await count()).toEqual({ documents: 2, vectors: 1 });
      expect(await cosineOf('Tom is a cat', 'b')).toBe(0);
    });

    it('have one after the index was rebuilt', async () => {
      await store.rebuild(derive);
      expect(await count()).toEqual({ documents: 2, vectors: 2 });
      expect(await cosineOf('Tom is a cat', 'b')).toBeGreaterThan(0.9);
    });

    it('that the embedder refuses do not hold up the others', async () => {
      const [write] = await toWrites(toDocument('c', 'too long for the model'));
      if (write === undefined) throw new Error('there is one');
      await put({ ...write, vector: null });
      const made = await store.embedWaiting(async (texts) => {
        if (texts.some((text) => text.includes('too long'))) throw new ContextloomError('too_large', 'too long');
        return embedder.embed(texts);
      });
      expect({ made, ...(await count()) }).toEqual({ made: 1, documents: 3, vectors: 2 });
    });
  });
}
