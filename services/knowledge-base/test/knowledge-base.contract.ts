import { type DocumentInput, type JsonObject, listRequestSchema, searchRequestSchema } from '@contextloom/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KnowledgeBase } from '../src/domain/knowledge-base.ts';

/** An adapter under test: a knowledge base of its own, and how to be rid of it. */
export interface Subject {
  readonly knowledgeBase: KnowledgeBase;
  readonly remove: () => Promise<void>;
}

const toDocument = (content: string, rest: Partial<DocumentInput> = {}): DocumentInput => ({
  content,
  tags: [],
  metadata: {},
  ...rest,
});

/** Text that can be stored: no lone surrogates, not blank. */
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((value) => value.trim() !== '');
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'a.b', '$and', '"', 'version', 'importance'));
const metadata = fc.dictionary(
  key.filter((name) => name !== 'user_id'),
  fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(key, scalar, { maxKeys: 2 })),
  { maxKeys: 4 },
);

/** What every adapter of the knowledge base does alike, whatever lies between it and the store. */
export function describeKnowledgeBase(name: string, open: () => Promise<Subject>): void {
  describe(`the knowledge base, ${name}`, () => {
    let subject: Subject;
    let kb: KnowledgeBase;
    beforeAll(async () => {
      subject = await open();
      kb = subject.knowledgeBase;
    });
    afterAll(() => subject.remove());

    const search = async (request: object) => kb.search(searchRequestSchema.parse(request));
    const list = (request: object) => kb.list(listRequestSchema.parse(request));
    const idsOf = (documents: readonly { readonly id: string }[]) => documents.map(({ id }) => id).sort();

    it('leaves a mark of what was read and deleted, and notes what was read and corrected', async () => {
      const read = {
        user_id: 'rita',
        transcript: 'talk',
        session: '',
        turns: '1-2',
        turn_hashes: 'a,b',
        memory_type: 'episode',
      };
      await kb.add([
        toDocument('Rita lives in Leith.', {
          doc_id: 'rita-1',
          tags: ['memory'],
          metadata: { ...read, importance: 5 },
        }),
        toDocument('Rita plays chess.', { doc_id: 'rita-2', tags: ['memory'], metadata: read }),
        toDocument('Rita has a cat.', { doc_id: 'rita-3', tags: ['memory'], metadata: read }),
        toDocument('A note of Rita.', { doc_id: 'rita-4', tags: ['memory'], metadata: { user_id: 'rita' } }),
      ]);
      const all = async () => (await list({ user_id: 'rita', limit: 100 })).documents;
      const marks = async () => (await all()).filter(({ tags }) => tags.includes('retraction'));
      await kb.delete({ id: 'rita-4', userId: 'rita' });
      await kb.delete({ id: 'rita-3', userId: 'rita' }, { retract: false });
      expect(await marks()).toEqual([]);
      await kb.delete({ id: 'rita-1', userId: 'rita' });
      const [mark, ...more] = await marks();
      expect(more).toEqual([]);
      const at = expect.stringMatching(/^\d{4}-.*Z$/u);
      expect(mark?.metadata).toEqual({ ...read, retracted: 'deleted', retracted_at: at, retracted_id: 'rita-1' });
      expect(JSON.stringify(mark)).not.toContain('Leith');
      const found = await search({ query: 'Leith', user_id: 'rita' });
      expect(found.map(({ content }) => content)).toEqual(['Rita plays chess.']);
      const corrected = await kb.update({ id: 'rita-2', userId: 'rita' }, { content: 'Rita plays go.' });
      const correction = { retracted: 'corrected', retracted_at: at, retracted_content: 'Rita plays chess.' };
      expect(corrected.metadata).toEqual({ ...read, ...correction });
      // A second correction keeps what had been read.
      const again = await kb.update({ id: 'rita-2', userId: 'rita' }, { content: 'Rita plays shogi.' });
      expect(again.metadata).toEqual({ ...read, ...correction });
      await kb.delete({ id: mark?.id ?? '', userId: 'rita' });
      expect(idsOf(await all())).toEqual(['rita-2']);
      const note = { retracted: null, retracted_at: null };
      expect((await kb.update({ id: 'rita-2', userId: 'rita' }, { metadata: note })).metadata).toEqual(read);
      await kb.delete({ id: 'rita-2', userId: 'rita' }, { retract: false });
      expect(await all()).toEqual([]);
    });

    it('takes another document in the place of what was read for a correction of it', async () => {
      const read = {
        user_id: 'roy',
        transcript: 'talk',
        session: 's',
        turns: '1',
        turn_hashes: 'a',
        memory_type: 'fact',
      };
      const tags = ['memory'];
      await kb.add([toDocument('Roy lives in Leith.', { doc_id: 'roy-1', tags, metadata: read })]);
      const metadataNow = async () => (await kb.get({ id: 'roy-1', userId: 'roy' })).metadata;
      const write = (content: string, rest: Partial<DocumentInput> = {}) =>
        kb.add([toDocument(content, { doc_id: 'roy-1', metadata: { user_id: 'roy' }, ...rest })]);
      // A reading says that it is none, and the same again corrects nothing.
      await write('Roy lives in Leith, Edinburgh.', { metadata: read, retract: false });
      expect(await metadataNow()).toEqual(read);
      await write('Roy lives in Leith, Edinburgh.', { metadata: read });
      expect(await metadataNow()).toEqual(read);
      const note = {
        retracted: 'corrected',
        retracted_at: expect.stringMatching(/Z$/u),
        retracted_content: 'Roy lives in Leith, Edinburgh.',
      };
      await write('Roy lives in Bergen.');
      expect(await metadataNow()).toEqual({ ...read, ...note });
      // A call that is sent again, and a further correction.
      await write('Roy lives in Bergen.');
      await write('Roy lives in Oslo.', { metadata: { ...read, place: 'north' } });
      expect(await metadataNow()).toEqual({ ...read, place: 'north', ...note });
      await kb.delete({ id: 'roy-1', userId: 'roy' }, { retract: false });
    });

    it('shows no mark to a search, unless its tag is asked for', async () => {
      const metadata = { user_id: 'rex', transcript: 'talk', turns: '1', memory_type: 'fact' };
      const ids = ['rex-1', 'rex-2', 'rex-3'];
      await kb.add(ids.map((doc_id) => toDocument(`Rex ${doc_id}.`, { doc_id, tags: ['memory'], metadata })));
      for (const id of ids.slice(1)) await kb.delete({ id, userId: 'rex' });
      for (const query of ['Rex', '—', '', 'something else']) {
        const found = await search({ query, user_id: 'rex', top_k: 10, min_score: 0 });
        expect(found.filter(({ tags }) => tags.includes('retraction'))).toEqual([]);
      }
      const marks = await search({ query: '', user_id: 'rex', tags_any: ['retraction'] });
      expect(marks).toHaveLength(2);
      await kb.delete({ id: 'rex-1', userId: 'rex' }, { retract: false });
      for (const { id } of marks) await kb.delete({ id, userId: 'rex' });
    });

    it('takes a document whose user_id is null for nobody’s, as one without it', async () => {
      const tags = ['owners'];
      const of = (doc_id: string, owner: JsonObject) => toDocument(doc_id, { doc_id, tags, metadata: owner });
      await kb.add([of('null', { user_id: null }), of('none', {}), of('owen', { user_id: 'owen' })]);
      expect((await kb.get({ id: 'null' })).metadata).toEqual({ user_id: null });
      for (const [metadata_filter, expected] of [
        [{}, ['none', 'null']],
        [{ user_id: null }, []],
        [{ user_id: { ne: 'owen' } }, []],
        [{ user_id: { nin: ['x', null] } }, []],
        [{ user_id: { in: ['owen', null] } }, ['owen']],
        [{ $or: [{ user_id: null }, { user_id: 'owen' }] }, ['owen']],
      ] as const) {
        const { documents } = await list({ tags, metadata_filter });
        expect({ metadata_filter, found: idsOf(documents) }).toEqual({ metadata_filter, found: expected });
        const results = await search({ query: 'null none owen', tags, metadata_filter, top_k: 10 });
        expect({ metadata_filter, found: idsOf(results) }).toEqual({ metadata_filter, found: expected });
      }
      await kb.delete({ id: 'owen', userId: 'owen' });
    });

    it('gives back every document as it came, odd keys and all', async () => {
      const asIs = fc.record({ content: text, metadata });
      await fc.assert(
        fc.asyncProperty(fc.array(asIs, { minLength: 1, maxLength: 3 }), async (documents) => {
          const ids = await kb.add(
            documents.map(({ content, metadata: data }) => toDocument(content, { metadata: data as JsonObject })),
          );
          expect(new Set(ids).size).toBe(documents.length);
          for (const [at, id] of ids.entries()) {
            const stored = await kb.get({ id });
            // As JSON: toEqual would look at a key called __proto__ as at a prototype.
            expect(JSON.stringify(stored.metadata)).toBe(JSON.stringify(documents[at]?.metadata));
            expect(stored).toMatchObject({ id, content: documents[at]?.content, tags: [], version: 1 });
          }
        }),
        { numRuns: 25 },
      );
    });

    it('answers results in the range [0,1], best first, no more than asked for', async () => {
      const texts = [
        'The train to Vienna leaves at nine',
        'The train to Graz leaves at ten',
        'A cake for the birthday',
      ];
      await kb.add(texts.map((content) => toDocument(content, { tags: ['range'] })));
      const results = await search({ query: 'train to Vienna', tags: ['range'] });
      expect(results[0]?.content).toBe(texts[0]);
      const scores = results.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...scores)).toBeLessThanOrEqual(1);
      expect(await search({ query: 'train', tags: ['range'], top_k: 1 })).toHaveLength(1);
    });

    it('explains results when it is asked to', async () => {
      await kb.add([toDocument('the harbour at night', { doc_id: 'explained', tags: ['explained'] })]);
      const [plain] = await search({ query: 'harbours', tags: ['explained'] });
      const [explained] = await search({ query: 'harbours', tags: ['explained'], explain: true });
      expect(explained).toEqual({
        ...plain,
        explain: {
          words: { rank: 1, score: expect.any(Number), terms: ['harbour'] },
          vector: { rank: 1, score: expect.any(Number) },
          fused: 1,
          boosts: { priority_tag: 0 },
          score: 1,
        },
        snippet: { text: 'the harbour at night', ranges: [[4, 11]] },
      });
      expect(plain).not.toHaveProperty('explain');
    });

    it('finds a document by its keys, which no search shows', async () => {
      const [id = '', other = ''] = await kb.add([
        toDocument('ann: at last!', { tags: ['keyed'], metadata: { user_id: 'kay' }, keys: ['Ann moved to Lyon'] }),
        toDocument('the weather in spring', { tags: ['keyed'], metadata: { user_id: 'kay' } }),
      ]);
      const ask = (query: string, user_id = 'kay') =>
        search({ query, tags: ['keyed'], user_id, top_k: 1, explain: true });
      const [hit] = await ask('Lyon');
      expect(hit).toMatchObject({ id, content: 'ann: at last!' });
      expect(JSON.stringify([hit, await ask('')])).not.toContain('Lyon');
      expect(await ask('Lyon', 'bob')).toEqual([]);
      expect(await kb.get({ id, userId: 'kay' })).toMatchObject({
        content: 'ann: at last!',
        keys: ['Ann moved to Lyon'],
      });
      // Neither words nor vector of the old keys stay, and a change of something else keeps the new ones.
      await kb.update({ id, userId: 'kay' }, { keys: ['Ann moved to Turin'] });
      await kb.update({ id, userId: 'kay' }, { tags: ['keyed', 'b'] });
      const [moved] = await ask('Turin');
      expect(moved).toMatchObject({ id, explain: { words: { rank: 1 }, vector: { rank: 1 } } });
      expect((await ask('Lyon'))[0]?.explain?.words ?? null).toBeNull();
      const { keys: _, ...bare } = await kb.update({ id, userId: 'kay' }, { keys: [] });
      expect(await kb.get({ id, userId: 'kay' })).toEqual(bare);
      expect((await ask('Turin'))[0]?.explain?.words ?? null).toBeNull();
      for (const one of [id, other]) await kb.delete({ id: one, userId: 'kay' });
    });

    it('lists by importance, then newest, for an empty query too', async () => {
      const marked = (doc_id: string, data: JsonObject) =>
        toDocument(doc_id, { doc_id, tags: ['order'], metadata: data });
      await kb.add([
        marked('o-unrated', {}),
        marked('o-low', { importance: 2 }),
        marked('o-old', { importance: 8, occurred_at: '2020-01-01T00:00:00Z' }),
        marked('o-new', { importance: 8, occurred_at: '2024-01-01T00:00:00Z' }),
      ]);
      const expected = ['o-new', 'o-old', 'o-low', 'o-unrated'];
      expect((await search({ query: '', tags: ['order'] })).map(({ id }) => id)).toEqual(expected);
      expect((await list({ tags: ['order'] })).documents.map(({ id }) => id)).toEqual(expected);
    });

    it('gives the same results of a search in the order of time when asked, and lists in it without a query', async () => {
      const at = (doc_id: string, content: string, occurred_at: string, importance: number) =>
        toDocument(content, { doc_id, tags: ['sorted'], metadata: { occurred_at, importance } });
      await kb.add([
        at('s-2', 'kiwi kiwi kiwi', '2022-01-01T00:00:00Z', 9),
        at('s-1', 'kiwi and a pear', '2021-01-01T00:00:00Z', 5),
        at('s-3', 'kiwi and an apple', '2023-01-01T00:00:00Z', 1),
      ]);
      const inOrder = (documents: readonly { readonly id: string }[]) => documents.map(({ id }) => id);
      const ask = async (query: string, sort?: string, top_k = 5) =>
        inOrder(await search({ query, tags: ['sorted'], sort, top_k }));
      for (const query of ['kiwi', '']) {
        expect(await ask(query, 'newest')).toEqual(['s-3', 's-2', 's-1']);
        expect(await ask(query, 'oldest')).toEqual(['s-1', 's-2', 's-3']);
        expect(await ask(query, 'relevance')).toEqual(await ask(query));
      }
      expect(await ask('', 'newest', 1)).toEqual(['s-3']);
      expect(new Set(await ask('kiwi', 'newest', 2))).toEqual(new Set(await ask('kiwi', undefined, 2)));
      const first = await list({ tags: ['sorted'], sort: 'oldest', limit: 1 });
      expect(idsOf(first.documents)).toEqual(['s-1']);
      const cursor = first.next_cursor;
      expect(inOrder((await list({ tags: ['sorted'], sort: 'oldest', cursor })).documents)).toEqual(['s-2', 's-3']);
      const ofYear = { tags: ['sorted'], since: '2022-01-01T00:00:00Z', until: '2023-01-01T00:00:00+00:00' };
      expect(await list(ofYear)).toMatchObject({ documents: [{ id: 's-2' }], total: 1 });
      const later = await list({ tags: ['sorted'], sort: 'newest', since: '2022-01-01T00:00:00Z', limit: 1 });
      expect(later).toMatchObject({ documents: [{ id: 's-3' }], total: 2 });
      const wrong = list({ tags: ['sorted'], sort: 'newest', cursor });
      await expect(wrong).rejects.toMatchObject({ code: 'invalid', field: 'cursor' });
    });

    it('leaves out, and does not count, what has one of some tags or keys', async () => {
      await kb.add([
        toDocument('plum', { doc_id: 'n-1', tags: ['counted'] }),
        toDocument('plum', { doc_id: 'n-2', tags: ['counted', 'other'] }),
        toDocument('plum', { doc_id: 'n-3', tags: ['counted'], metadata: { keyed: null } }),
        toDocument('plum', { doc_id: 'n-4', tags: ['counted', 'another'], metadata: { keyed: 'yes' } }),
      ]);
      const among = { tags: ['counted'], limit: 1 };
      expect(await list({ ...among, tags_none: ['other', 'another'] })).toMatchObject({ total: 2 });
      expect(await list({ ...among, without_keys: ['keyed'] })).toMatchObject({ total: 2 });
      const only = { tags: ['counted'], tags_none: ['other'], without_keys: ['keyed'] };
      expect(await list(only)).toMatchObject({ documents: [{ id: 'n-1' }], total: 1 });
      expect(idsOf(await search({ query: 'plum', ...only }))).toEqual(['n-1']);
      expect(await list({ ...among, tags_none: [], without_keys: [] })).toMatchObject({ total: 4 });
    });

    it('pages through a listing without losing or repeating a document', async () => {
      const ids = Array.from({ length: 7 }, (_, at) => `p-${at}`);
      await kb.add(ids.map((doc_id) => toDocument('page', { doc_id, tags: ['pages'] })));
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ tags: ['pages'], limit: 3, cursor });
        expect(page.total).toBe(7);
        seen.push(...idsOf(page.documents));
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      expect(seen.sort()).toEqual(ids);
    });

    it('replaces, changes and deletes under the version expected', async () => {
      await kb.add([toDocument('first', { doc_id: 'v', tags: ['x'], metadata: { a: 1, b: 2 } })]);
      const changed = await kb.update({ id: 'v', version: 1 }, { metadata: { a: null, c: '三' } });
      expect(changed).toMatchObject({ content: 'first', tags: ['x'], metadata: { b: 2, c: '三' }, version: 2 });
      await expect(kb.update({ id: 'v', version: 1 }, { content: 'late' })).rejects.toMatchObject({
        code: 'precondition_failed',
      });
      await expect(kb.delete({ id: 'v', version: 1 })).rejects.toMatchObject({ code: 'precondition_failed' });
      await kb.add([toDocument('second', { doc_id: 'v' })]);
      expect(await kb.get({ id: 'v' })).toMatchObject({ content: 'second', tags: [], metadata: {}, version: 3 });
      await kb.delete({ id: 'v', version: 3 });
      await expect(kb.get({ id: 'v' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(kb.update({ id: 'v' }, { content: 'none' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(kb.delete({ id: 'v' })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('makes forty changes of one document at once, and one of forty that expect the same version', async () => {
      await kb.add([toDocument('counted', { doc_id: 'busy' })]);
      const changes = Array.from({ length: 40 }, (_, n) => kb.update({ id: 'busy' }, { metadata: { [`k${n}`]: n } }));
      await Promise.all(changes);
      const { version, metadata: data } = await kb.get({ id: 'busy' });
      expect([version, Object.keys(data).length]).toEqual([41, 40]);
      const guarded = await Promise.allSettled(
        Array.from({ length: 40 }, (_, n) => kb.update({ id: 'busy', version: 41 }, { metadata: { k0: `by ${n}` } })),
      );
      expect(guarded.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const ending of guarded.filter(({ status }) => status === 'rejected')) {
        expect(ending).toMatchObject({ reason: { code: 'precondition_failed' } });
      }
      await kb.delete({ id: 'busy' });
    });

    it('keeps users apart in every call', async () => {
      const of = (user_id: string) =>
        toDocument('我们的秘密', { doc_id: `of-${user_id}`, tags: [`t-${user_id}`], metadata: { user_id } });
      await kb.add([of('ann'), of('bob'), toDocument('我们的秘密', { doc_id: 'of-nobody', tags: ['secret'] })]);
      expect(idsOf(await search({ query: '秘密', user_id: 'ann' }))).toEqual(['of-ann']);
      expect(idsOf(await search({ query: '秘密', metadata_filter: { user_id: 'bob' } }))).toEqual(['of-bob']);
      expect(idsOf(await search({ query: '秘密', tags: ['secret'] }))).toEqual(['of-nobody']);
      expect(idsOf((await list({ user_id: 'ann' })).documents)).toEqual(['of-ann']);
      for (const userId of [undefined, 'bob', 'nobody', 'ANN']) {
        const address = { id: 'of-ann', userId };
        await expect(kb.get(address)).rejects.toMatchObject({ code: 'not_found' });
        await expect(kb.update(address, { content: 'x' })).rejects.toMatchObject({ code: 'not_found' });
        await expect(kb.delete(address)).rejects.toMatchObject({ code: 'not_found' });
      }
      await expect(kb.add([toDocument('x', { doc_id: 'of-ann', metadata: { user_id: 'bob' } })])).rejects.toMatchObject(
        {
          code: 'conflict',
        },
      );
      const one = { document_count: 1, vector_count: 1, tag_count: 1 };
      expect(await kb.stats('ann')).toMatchObject({ ...one, tags: ['t-ann'] });
      expect(await kb.stats('bob')).toMatchObject({ ...one, tags: ['t-bob'] });
      expect(await kb.stats('carl')).toMatchObject({ document_count: 0, vector_count: 0, tags: [] });
      const ofNobody = (await list({ limit: 1 })).total;
      expect(await kb.stats()).toMatchObject({ document_count: ofNobody, vector_count: ofNobody });
      expect(await kb.get({ id: 'of-ann', userId: 'ann' })).toMatchObject({ content: '我们的秘密', version: 1 });
    });

    it('stores a document that was to be absent once, though it comes several times at once', async () => {
      const rivals = [1, 2, 3].map((at) => toDocument(`rival ${at}`, { doc_id: 'contested', if_absent: true }));
      const outcomes = await Promise.allSettled(rivals.map((one) => kb.add([one])));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refused = { status: 'rejected', reason: { code: 'conflict', field: 'doc_id' } };
      expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([refused, refused]);
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
      expect(await kb.get({ id: 'contested' })).toMatchObject({ content: `rival ${winner + 1}`, version: 1 });
    });

    it('refuses a filter that makes no sense, and names the place', async () => {
      const filter = { $or: [{ age: { $gte: 1 } }, { age: { $near: 3 } }] };
      await expect(search({ query: 'x', metadata_filter: filter })).rejects.toMatchObject({
        code: 'invalid',
        field: expect.stringContaining('$near'),
      });
    });

    it('counts documents, and as many after the index was rebuilt', async () => {
      const before = await kb.stats();
      expect(before).toMatchObject({
        vector_count: before.document_count,
        tag_count: before.tags.length,
        status: 'running',
      });
      const of = async (user: string) => (await kb.stats(user)).document_count;
      expect(await kb.rebuildIndex()).toBe(before.document_count + (await of('ann')) + (await of('bob')));
      await kb.save();
      expect(await kb.stats()).toEqual(before);
      expect((await search({ query: 'Vienna', tags: ['range'] }))[0]?.content).toContain('Vienna');
    });

    it('stores nothing for no documents', async () => {
      const before = await kb.stats();
      expect(await kb.add([])).toEqual([]);
      expect(await kb.stats()).toEqual(before);
    });
  });
}
