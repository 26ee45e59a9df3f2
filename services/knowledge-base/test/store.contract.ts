import { type Document, listSorts } from '@contextloom/contracts';
import { cosineSimilarity, tokenize } from '@contextloom/retrieval';
import { parseFilter, toRowCondition } from '@contextloom/retrieval/filter';
import { rankBm25 } from '@contextloom/retrieval/ranking';
import { anyCharacter } from '@contextloom/testing/any-character';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseCursor, toCursor } from '../src/domain/documents/order.ts';
import type {
  DocumentStore,
  DocumentWrite,
  Hit,
  Hits,
  ListPosition,
  Selection,
  StoredRecord,
} from '../src/domain/store.ts';
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
const LATER = '2024-02-02T00:00:00.000Z';

/** A score to as many digits as 32-bit numbers in vectors leave. */
const toScore = ({ id, score }: { readonly id: string; readonly score: number }) => [id, score.toFixed(4)];
const toFoundScore = ({ candidate: { id }, score }: Hit) => toScore({ id, score });
const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

/** What every adapter of the document store does alike. `open` gives an empty store each time. */
export function describeDocumentStore(name: string, open: () => Promise<TemporaryStore>): void {
  describe(`the document store, ${name}`, () => {
    const opened: TemporaryStore[] = [];
    let store: DocumentStore;
    beforeEach(async () => {
      const subject = await open();
      opened.push(subject);
      store = subject.store;
    });
    afterAll(() => Promise.all(opened.map(({ remove }) => remove())));

    const put = async (...documents: readonly Document[]) =>
      store.put(await toWrites(...documents), { at: AT, keepOwners: true });
    const read = async (id: string): Promise<StoredRecord | undefined> => (await store.read([id], everyone))[0];
    const revisionOf = async (id: string): Promise<string> => (await read(id))?.revision ?? 'none';
    const find = async (query: string, selection: Selection = everyone, limit = 100): Promise<Hits> => {
      const [vector = new Float32Array()] = await embedder.embed([query]);
      return store.find({ tokens: tokenize(query), vector }, selection, limit);
    };
    const filtered = (filter: object, selection = everyone): Selection => ({
      ...selection,
      condition: toRowCondition(parseFilter(filter as Parameters<typeof parseFilter>[0])),
    });

    describe('put', () => {
      it('keeps a document as it came, with what the store knows about it', async () => {
        const metadata = JSON.parse(
          '{"__proto__": {"a": [1, null]}, "年龄": 5, "x.y": "\\u0000\\"", "user_id": "ann"}',
        );
        const document = toDocument('文档 "1"', "O'Hara\n\u0000 said: 你好 👋", { tags: ['b', 'a', '标签'], metadata });
        expect(await put(document)).toEqual({ kind: 'stored' });
        const record = await read(document.id);
        expect(JSON.stringify(record?.document.metadata)).toBe(JSON.stringify(metadata));
        expect(record?.document).toMatchObject({
          id: document.id,
          content: document.content,
          tags: document.tags,
          created_at: AT,
          updated_at: AT,
          version: 1,
        });
      });

      it('replaces the whole document under the same id, and counts it once (original fault: counted twice)', async () => {
        await put(toDocument('a', 'tea with Ann', { tags: ['old'], metadata: { gone: 1 } }));
        await store.put(await toWrites(toDocument('a', 'rice with Bob', { tags: ['new'], metadata: { here: 2 } })), {
          at: LATER,
          keepOwners: true,
        });
        expect((await read('a'))?.document).toEqual({
          ...toDocument('a', 'rice with Bob', { tags: ['new'], metadata: { here: 2 } }),
          created_at: AT,
          updated_at: LATER,
          version: 2,
        });
        expect(await store.stats({ kind: 'everyone' })).toEqual({ documents: 1, vectors: 1, tags: ['new'] });
        expect((await store.list(filtered({ gone: 1 }), { limit: 5 })).total).toBe(0);
        expect((await find('tea')).byWords).toEqual([]);
        expect(hitIds((await find('rice')).byWords)).toEqual(['a']);
      });

      it('writes nothing when one id is held by a document of another owner, nobody among them', async () => {
        await put(toDocument('of-ann', 'x', { metadata: { user_id: 'ann' } }), toDocument('of-nobody'));
        const [fresh, ofBob] = [toDocument('fresh'), { metadata: { user_id: 'bob' } }];
        expect(await put(fresh, toDocument('of-ann', 'stolen', ofBob))).toEqual({
          kind: 'owned_by_another',
          id: 'of-ann',
        });
        expect(await put(fresh, toDocument('of-nobody', 'stolen', ofBob))).toMatchObject({ id: 'of-nobody' });
        expect(await put(fresh, toDocument('of-ann', 'stolen'))).toMatchObject({ id: 'of-ann' });
        expect(await read('fresh')).toBeUndefined();
        expect((await read('of-ann'))?.document).toMatchObject({ content: 'x', version: 1 });
      });

      it('replaces nothing for a document that must be new, of several at once for one', async () => {
        await put(toDocument('a', 'first'));
        const [fresh, again] = await toWrites(toDocument('fresh'), toDocument('a', 'second'));
        const writes = fresh && again ? [fresh, { ...again, mustBeNew: true }] : [];
        const options = { at: LATER, keepOwners: true };
        expect(await store.put(writes, options)).toEqual({ kind: 'exists', id: 'a' });
        expect(await read('fresh')).toBeUndefined();
        expect((await read('a'))?.document).toMatchObject({ content: 'first', version: 1 });
        const rivals = await toWrites(...[1, 2, 3, 4].map((at) => toDocument('b', `rival ${at}`)));
        const outcomes = await Promise.all(rivals.map((one) => store.put([{ ...one, mustBeNew: true }], options)));
        const winner = outcomes.findIndex(({ kind }) => kind === 'stored');
        expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['exists', 'exists', 'exists', 'stored']);
        expect((await read('b'))?.document).toMatchObject({ content: `rival ${winner + 1}`, version: 1 });
      });

      it('hands an id to another owner when owners need not be kept', async () => {
        await put(toDocument('a', 'x', { metadata: { user_id: 'ann' } }));
        const writes = await toWrites(toDocument('a', 'y', { metadata: { user_id: 'bob' } }));
        expect(await store.put(writes, { at: AT, keepOwners: false })).toEqual({ kind: 'stored' });
        expect(await store.read(['a'], seenBy('ann'))).toEqual([]);
        expect(hitIds((await find('y', seenBy('bob'))).byWords)).toEqual(['a']);
        expect((await find('y', seenBy('ann'))).byWords).toEqual([]);
      });

      it('writes nothing when one vector has not the dimensions of the store', async () => {
        const [good, bad] = await toWrites(toDocument('good'), toDocument('bad'));
        const writes = good && bad ? [good, { ...bad, vector: new Float32Array(3) }] : [];
        await expect(store.put(writes, { at: AT, keepOwners: true })).rejects.toMatchObject({ code: 'internal' });
        expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 0, vectors: 0 });
      });
    });

    describe('replace and remove', () => {
      it('act on the revision that was read, and on no other', async () => {
        await put(toDocument('a', 'first'));
        const revision = await revisionOf('a');
        const [write] = await toWrites(toDocument('a', 'second'));
        if (write === undefined) throw new Error('no write was made');
        const replaced = await store.replace(revision, write, { at: LATER });
        expect(replaced).toMatchObject({
          document: { content: 'second', version: 2, created_at: AT, updated_at: LATER },
        });
        expect(await store.replace(revision, write, { at: LATER })).toBe('stale');
        expect(await store.remove(revision)).toBe('stale');
        expect(await store.remove(await revisionOf('a'))).toBe('removed');
        expect(await read('a')).toBeUndefined();
        expect(await store.stats({ kind: 'everyone' })).toEqual({ documents: 0, vectors: 0, tags: [] });
        expect(await find('second')).toEqual({ byWords: [], byVector: [] });
      });

      it('never meet a revision again, though the id is added again', async () => {
        await put(toDocument('a', 'of the first life'));
        const before = await revisionOf('a');
        await store.remove(before);
        await put(toDocument('a', 'of the second life'));
        expect((await read('a'))?.document.version).toBe(1);
        expect(await store.remove(before)).toBe('stale');
        expect(await read('a')).toBeDefined();
      });

      it('keep the vector when the content did not change', async () => {
        await put(toDocument('a', 'tea at noon'), toDocument('b', 'a train to Graz'));
        const [write] = await toWrites(toDocument('a', 'tea at noon', { tags: ['new'] }));
        if (write === undefined) throw new Error('no write was made');
        const { vector: _vector, ...withoutVector } = write;
        await store.replace(await revisionOf('a'), withoutVector, { at: LATER });
        expect(hitIds((await find('tea at noon')).byVector)).toEqual(['a', 'b']);
        expect(await store.stats({ kind: 'everyone' })).toEqual({ documents: 2, vectors: 2, tags: ['new'] });
      });

      it('are stale for a revision that never was', async () => {
        for (const revision of ['', 'x', '0.0', '1.1', '1', "1.1'; --"]) {
          expect(await store.remove(revision)).toBe('stale');
        }
      });
    });

    describe('read', () => {
      it('gives those of the documents that are in the selection', async () => {
        await put(
          toDocument('ann', 'x', { metadata: { user_id: 'ann', n: 1 } }),
          toDocument('bob', 'x', { metadata: { user_id: 'bob', n: 1 } }),
          toDocument('nobody', 'x', { metadata: { n: 2 } }),
        );
        const ids = ['ann', 'bob', 'nobody', 'missing'];
        const seen = async (selection: Selection) =>
          (await store.read(ids, selection)).map(({ document }) => document.id).sort();
        expect(await seen(everyone)).toEqual(['ann', 'bob', 'nobody']);
        expect(await seen(seenBy('ann'))).toEqual(['ann', 'nobody']);
        expect(await seen(filtered({ n: 1 }, seenBy('ann')))).toEqual(['ann']);
        expect(await store.read([], everyone)).toEqual([]);
      });
    });

    describe('find', () => {
      it('applies the filter inside both queries (original faults: filtered after top-k, and without the key let through)', async () => {
        const crowd = Array.from({ length: 300 }, (_, at) =>
          toDocument(`crowd-${at}`, 'the secret tea of Ann', { metadata: { user_id: `other-${at % 7}` } }),
        );
        await put(...crowd, toDocument('no-key', 'the secret tea of Ann'));
        await put(toDocument('mine', 'tea, once', { metadata: { user_id: 'ann' } }));
        const { byWords, byVector } = await find(
          'the secret tea of Ann',
          filtered({ user_id: 'ann' }, seenBy('ann')),
          1,
        );
        expect(hitIds(byWords)).toEqual(['mine']);
        expect(hitIds(byVector)).toEqual(['mine']);
        const all = await find('the secret tea of Ann', filtered({ user_id: 'ann' }), 1);
        expect([hitIds(all.byWords), hitIds(all.byVector)]).toEqual([['mine'], ['mine']]);
      });

      it('ranks by words and by nearness, with what orders what it found', async () => {
        const occurred_at = '2024-05-01T00:00:00Z';
        await put(
          toDocument('tea', 'tea with saffron', { tags: ['drink', '茶'], metadata: { importance: 7.5, occurred_at } }),
          toDocument('rice', 'saffron rice and tea and much else that is long'),
          toDocument('train', 'a train to Graz'),
        );
        const { byWords, byVector } = await find('tea with saffron');
        expect(byWords).toMatchObject([
          { candidate: { id: 'tea', tags: ['drink', '茶'], importance: 7.5, time: Date.parse(occurred_at) } },
          { candidate: { id: 'rice', tags: [], importance: undefined, time: Date.parse(AT) } },
        ]);
        expect(byVector.slice(0, 2)).toMatchObject(
          byWords.map(({ candidate: { document: _, ...candidate } }) => ({ candidate })),
        );
        expect(hitIds(byVector)).toEqual(['tea', 'rice', 'train']);
        expect(hitIds((await find('tea with saffron', everyone, 2)).byVector)).toEqual(['tea', 'rice']);
      });

      it('gives each candidate its score: BM25 by words, the cosine by vector', async () => {
        const query = 'tea with saffron';
        // The last has no word, and so a vector of zeros, which is near nothing.
        const texts = {
          tea: query,
          rice: 'saffron rice and tea and so on',
          train: 'a train with tea to Graz',
          none: '?!',
        };
        const documents = Object.entries(texts).map(([id, content]) => toDocument(id, content));
        await put(...documents);
        const { byWords, byVector } = await find(query);
        const worded = documents.map((one) => ({ id: one.id, ...tokenize(one.content, { keepStopWords: true }) }));
        const bm25 = rankBm25(worded, tokenize(query), documents.length, 10);
        expect(byWords.map(toFoundScore)).toEqual(bm25.map(toScore));
        const [wanted = new Float32Array(), ...vectors] = await embedder.embed([query, ...Object.values(texts)]);
        const cosines = vectors.map((vector, at) => ({
          id: documents[at]?.id ?? '',
          score: Math.max(0, cosineSimilarity(vector, wanted)),
        }));
        expect(byVector.map(toFoundScore)).toEqual(cosines.sort((a, b) => b.score - a.score).map(toScore));
        expect(byVector.at(-1)).toMatchObject({ candidate: { id: 'none' }, score: 0 });
      });

      it('finds a Chinese word of one character and of two', async () => {
        await put(
          toDocument('cat', '我的猫叫小白'),
          toDocument('city', '她明年搬到上海去住'),
          toDocument('tea', 'green tea'),
        );
        expect(hitIds((await find('猫')).byWords)).toEqual(['cat']);
        expect(hitIds((await find('上海')).byWords)).toEqual(['city']);
      });

      it('finds Chinese that is written in the other script, by words and by nearness', async () => {
        await put(
          toDocument('simple', '她对花生过敏'),
          toDocument('old', '她對貓過敏'),
          toDocument('tea', 'green tea'),
        );
        for (const query of ['过敏', '過敏']) {
          const { byWords, byVector } = await find(query);
          expect(hitIds(byWords).toSorted()).toEqual(['old', 'simple']);
          expect(hitIds(byVector)[2]).toBe('tea');
        }
      });

      it('goes by the words of many documents as by those of few', async () => {
        const documents = Array.from({ length: 1_200 }, (_, at) => toDocument(`d-${at}`, `tea number ${at}`));
        await put(...documents, toDocument('best', 'saffron tea'), toDocument('cat', '茶和猫'));
        expect(hitIds((await find('saffron tea', everyone, 3)).byWords)[0]).toBe('best');
        expect(hitIds((await find('number 77')).byWords)[0]).toBe('d-77');
        expect(hitIds((await find('猫')).byWords)).toEqual(['cat']);
      });

      it('answers no words for a query without any, and still what is near', async () => {
        await put(toDocument('a', 'tea'));
        expect(await find('?!')).toMatchObject({ byWords: [], byVector: [{ candidate: { id: 'a' } }] });
      });

      it('takes any text for a token, and finds exactly the documents that share one', async () => {
        const contents = [
          'tea AND rice',
          'rice near a cup',
          'terms: NEAR',
          '猫和茶',
          'tea',
          '"" * ^ - ( )',
          "it's { 4 + 4",
        ];
        await put(...contents.map((content, at) => toDocument(`d-${at}`, content)));
        const vector = (await embedder.embed(['tea']))[0] ?? new Float32Array();
        const own = contents.map((content) => {
          const { terms, unigrams } = tokenize(content, { keepStopWords: true });
          return [...terms, ...unigrams];
        });
        const token = fc.oneof(
          fc.string({ unit: anyCharacter, maxLength: 12 }),
          fc.constantFrom('"', '""', '*', 'NEAR(', 'AND', 'terms:', '^', '-', '(', ')', '\0', "'", '{', '+', ''),
          fc.constantFrom('tea', 'rice', 'near', 'and', 'terms', '猫', '和茶', '4'),
        );
        const queries = fc.record({
          terms: fc.array(token, { maxLength: 8 }),
          unigrams: fc.array(token, { maxLength: 8 }),
        });
        await fc.assert(
          fc.asyncProperty(queries, async (query) => {
            const { byWords } = await store.find({ tokens: query, vector }, everyone, 10);
            const asked = [...query.terms, ...query.unigrams];
            const sharing = own.flatMap((tokens, at) => (tokens.some((one) => asked.includes(one)) ? [`d-${at}`] : []));
            expect([...hitIds(byWords)].sort()).toEqual(sharing);
          }),
          { numRuns: 60 },
        );
      });
    });

    describe('list', () => {
      const order: readonly Document[] = [
        toDocument('old', 'x', { metadata: { importance: 9, occurred_at: '2020-01-01' } }),
        toDocument('new', 'x', { metadata: { importance: 9, occurred_at: '2021-01-01T00:00:00Z' } }),
        toDocument('low-b', 'x', { metadata: { importance: -1, created_at: '2022-01-01' } }),
        toDocument('low-a', 'x', { metadata: { importance: -1, created_at: '2022-01-01' } }),
        toDocument('unrated', 'x', { metadata: { importance: 'high' } }),
        toDocument('unrated-old', 'x', { metadata: { occurred_at: '1999-12-31' } }),
      ];
      const sorted = ['new', 'old', 'low-a', 'low-b', 'unrated', 'unrated-old'];

      it('goes from the most important, then the newest, then by id', async () => {
        await put(...order);
        const { documents, total, more } = await store.list(everyone, { limit: 10 });
        expect(idsOf(documents)).toEqual(sorted);
        expect({ total, more }).toEqual({ total: 6, more: false });
      });

      it('goes by time or by the last change when asked, page by page, and by id where those are alike', async () => {
        await put(...order);
        const [record] = await store.read(['old'], everyone);
        const [write] = await toWrites(order[0] as Document);
        await store.replace(record?.revision ?? '', write as DocumentWrite, { at: '2026-02-01T00:00:00.000Z' });
        const expected = {
          newest: ['unrated', 'low-a', 'low-b', 'new', 'old', 'unrated-old'],
          oldest: ['unrated-old', 'old', 'new', 'low-a', 'low-b', 'unrated'],
          updated: ['old', 'low-a', 'low-b', 'new', 'unrated', 'unrated-old'],
          relevance: sorted,
        } as const;
        for (const sort of listSorts) {
          const ids: string[] = [];
          for (let after: ListPosition | undefined; ; ) {
            const { documents, more } = await store.list(everyone, { limit: 2, sort, ...(after && { after }) });
            ids.push(...idsOf(documents));
            const last = documents.at(-1);
            if (!more || last === undefined) break;
            after = parseCursor(toCursor(last, sort), sort);
          }
          expect({ sort, ids }).toEqual({ sort, ids: expected[sort] });
        }
      });

      it('goes on after any place, and counts the whole selection', async () => {
        await put(...order, toDocument('other', 'x', { metadata: { user_id: 'bob' } }));
        const after = { importance: -1, time: Date.UTC(2022, 0, 1), id: 'low-a' };
        const page = await store.list(seenBy(), { limit: 2, after });
        expect(idsOf(page.documents)).toEqual(['low-b', 'unrated']);
        expect(page).toMatchObject({ total: 6, more: true });
        // What a page before has counted is not counted again.
        expect(await store.list(seenBy(), { limit: 2, after: { ...after, total: 9 } })).toMatchObject({ total: 9 });
        const unrated = { importance: undefined, time: Date.parse(AT), id: 'unrated' };
        expect(idsOf((await store.list(seenBy(), { limit: 2, after: unrated })).documents)).toEqual(['unrated-old']);
      });
    });

    it.each([Number.NaN, Number.POSITIVE_INFINITY])(
      'stores nothing of a batch with a vector that holds %d',
      async (value) => {
        const [good, bad] = await toWrites(toDocument('good', 'x'), toDocument('bad', 'y'));
        if (good === undefined || bad === undefined) throw new Error('no writes');
        const vector = new Float32Array(embedder.identity.dimensions).fill(value);
        const writing = store.put([good, { ...bad, vector }], { at: AT, keepOwners: true });
        await expect(writing).rejects.toMatchObject({
          name: 'ContextloomError',
          message: expect.stringMatching(/finite/),
        });
        expect(await store.read(['good', 'bad'], everyone)).toEqual([]);
      },
    );

    describe('stats', () => {
      it('counts visible documents alone, and names their tags', async () => {
        await put(
          toDocument('a', 'x', { tags: ['z', 'mine'], metadata: { user_id: 'ann' } }),
          toDocument('b', 'x', { tags: ['secret'], metadata: { user_id: 'bob' } }),
          toDocument('c', 'x', { tags: ['z', '公开'] }),
        );
        const all = { documents: 3, vectors: 3, tags: ['mine', 'secret', 'z', '公开'] };
        expect(await store.stats(seenBy().visible)).toEqual({ documents: 1, vectors: 1, tags: ['z', '公开'] });
        expect(await store.stats(seenBy('ann').visible)).toEqual({
          documents: 2,
          vectors: 2,
          tags: ['mine', 'z', '公开'],
        });
        expect(await store.stats({ kind: 'owners', owners: ['"bob"'] })).toEqual({
          documents: 1,
          vectors: 1,
          tags: ['secret'],
        });
        expect(await store.stats({ kind: 'owners', owners: ['"carl"'] })).toEqual({
          documents: 0,
          vectors: 0,
          tags: [],
        });
        expect(await store.stats({ kind: 'everyone' })).toEqual(all);
      });
    });

    describe('owners', () => {
      it('are counted, with the documents of nobody', async () => {
        const of = (id: string, user_id: string) => toDocument(id, 'x', { metadata: { user_id } });
        await put(of('a', 'ann'), of('b', 'ann'), of('c', 'b\u0000ob'), toDocument('d', 'x'));
        const counts = await store.owners();
        expect(counts.toSorted((one, other) => (one.owner < other.owner ? -1 : 1))).toEqual([
          { owner: '"ann"', documents: 2 },
          { owner: '"b\\u0000ob"', documents: 1 },
          { owner: 'null', documents: 1 },
        ]);
      });
    });

    describe('rebuild', () => {
      it('derives every index again, and answers how many documents there are', async () => {
        await put(
          ...Array.from({ length: 150 }, (_, at) => toDocument(`d-${at}`, `number ${at}`, { metadata: { n: at } })),
        );
        const shouting = async (documents: readonly Document[]) =>
          derive(
            documents.map((document) => ({
              ...document,
              content: `renewed ${document.content}`,
              metadata: { renewed: true },
            })),
          );
        expect(await store.rebuild(shouting)).toEqual({ kind: 'complete', documents: 150 });
        expect((await find('renewed')).byWords).toHaveLength(100);
        expect((await store.list(filtered({ n: 5 }), { limit: 5 })).total).toBe(0);
        expect((await store.list(filtered({ renewed: true }), { limit: 5 })).total).toBe(150);
        expect((await read('d-7'))?.document).toMatchObject({ content: 'number 7', metadata: { n: 7 }, version: 1 });
        expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 150, vectors: 150 });
      });

      it('takes up what is written, changed and removed meanwhile', async () => {
        await put(...Array.from({ length: 100 }, (_, at) => toDocument(`d-${at}`, `number ${at}`)));
        let turns = 0;
        const whileWriting = async (documents: readonly Document[]) => {
          turns += 1;
          if (turns === 2) {
            await put(toDocument('d-3', 'changed meanwhile'), toDocument('late', 'written meanwhile'));
            await store.remove(await revisionOf('d-99'));
          }
          return derive(documents);
        };
        expect(await store.rebuild(whileWriting)).toEqual({ kind: 'complete', documents: 100 });
        expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 100, vectors: 100 });
        expect([...hitIds((await find('meanwhile')).byWords)].sort()).toEqual(['d-3', 'late']);
        expect(hitIds((await find('changed meanwhile')).byVector)[0]).toBe('d-3');
        expect(hitIds((await find('number 99')).byWords)).not.toContain('d-99');
      });

      it('leaves the store as useful as it was when it fails half way', async () => {
        await put(...Array.from({ length: 100 }, (_, at) => toDocument(`d-${at}`, `number ${at}`)));
        let turns = 0;
        const failing = async (documents: readonly Document[]) => {
          turns += 1;
          if (turns === 2) throw new Error('the embedder is gone');
          return derive(documents);
        };
        await expect(store.rebuild(failing)).rejects.toThrow('the embedder is gone');
        expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 100, vectors: 100 });
        for (const at of [0, 99]) {
          const { byWords, byVector } = await find(`number ${at}`);
          expect([hitIds(byWords)[0], hitIds(byVector)[0]]).toEqual([`d-${at}`, `d-${at}`]);
        }
        expect(await store.rebuild(derive)).toEqual({ kind: 'complete', documents: 100 });
      });

      it('refuses an embedder that leaves a document out', async () => {
        await put(toDocument('a'), toDocument('b'));
        const lazy = async (documents: readonly Document[]) => (await derive(documents)).slice(1);
        await expect(store.rebuild(lazy)).rejects.toMatchObject({ code: 'internal' });
      });
    });

    it('refuses every call after it was closed, as unavailable', async () => {
      await put(toDocument('a'));
      await store.flush();
      await store.close();
      const closed = { code: 'unavailable' };
      await expect(put(toDocument('b'))).rejects.toMatchObject(closed);
      await expect(read('a')).rejects.toMatchObject(closed);
      await expect(find('a')).rejects.toMatchObject(closed);
      await expect(store.stats({ kind: 'everyone' })).rejects.toMatchObject(closed);
      await store.close();
    });
  });
}
