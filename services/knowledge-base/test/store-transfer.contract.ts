import type { Document } from '@contextloom/contracts';
import { tokenize } from '@contextloom/retrieval';
import { parseFilter, toRowCondition } from '@contextloom/retrieval/filter';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentStore, ExportedDocument, RestoredWrite } from '../src/domain/store.ts';
import { embedder, everyone, type TemporaryStore, toDocument, toWrites } from './support/stores.ts';

const AT = '2024-01-01T00:00:00.000Z';
/** How far a vector may have moved in a store that keeps its length apart from its direction. */
const VECTOR_TOLERANCE = 1e-6;

const numbered = (count: number): readonly Document[] =>
  Array.from({ length: count }, (_, at) => toDocument(`d-${at}`, `number ${at} 第${at}号`));

async function scanAll(
  store: DocumentStore,
  batch: number,
  between?: () => Promise<void>,
): Promise<ExportedDocument[]> {
  const held: ExportedDocument[] = [];
  for await (const documents of store.scan(batch)) {
    expect(documents.length).toBeLessThanOrEqual(batch);
    held.push(...documents);
    await between?.();
  }
  return held;
}

/** Documents as another store held them. */
async function toRestored(version: number, ...documents: readonly Document[]): Promise<readonly RestoredWrite[]> {
  const times = { created_at: '2019-05-04T03:02:01.000Z', updated_at: '2020-05-04T03:02:01.000Z' };
  return (await toWrites(...documents)).map((write) => {
    return { ...write, vector: write.vector ?? new Float32Array(), document: { ...write.document, ...times, version } };
  });
}

/** What every adapter of the document store does alike when documents move from one to another. */
export function describeTransfer(name: string, open: () => Promise<TemporaryStore>): void {
  describe(`moving documents, ${name}`, () => {
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
    const revisionOf = async (id: string) => (await store.read([id], everyone))[0]?.revision ?? 'none';

    describe('scan', () => {
      it('gives every document once, with its vector', async () => {
        const rich = toDocument('富', '小明住在上海 👋', {
          tags: ['标签', 'a'],
          metadata: { 'x.y': { deep: [1, null] }, none: null, n: 0.1 + 0.2 },
        });
        await put(...numbered(25), rich);
        const held = await scanAll(store, 10);
        expect(held.map(({ document }) => document.id).sort()).toEqual(
          [...numbered(25), rich].map(({ id }) => id).sort(),
        );
        const found = held.find(({ document }) => document.id === '富');
        expect(found?.document).toEqual({ ...rich, created_at: AT, updated_at: AT, version: 1 });
        const [expected = new Float32Array()] = await embedder.embed([rich.content]);
        const moved = [...expected].map((x, at) => Math.abs(x - (found?.vector?.[at] ?? Number.NaN)));
        expect(Math.max(...moved)).toBeLessThan(VECTOR_TOLERANCE);
      });

      it('gives nothing of an empty store', async () => {
        expect(await scanAll(store, 10)).toEqual([]);
      });

      it('gives what is there all the time once, while others come and go', async () => {
        await put(...numbered(40));
        let turn = 0;
        const held = await scanAll(store, 10, async () => {
          turn += 1;
          await put(toDocument(`late-${turn}`));
          await store.remove(await revisionOf(`d-${turn}`));
        });
        const ids = held.map(({ document }) => document.id);
        expect(new Set(ids).size).toBe(ids.length);
        const lasting = numbered(40).slice(10);
        expect(ids).toEqual(expect.arrayContaining(lasting.map(({ id }) => id)));
      });
    });

    describe('restore', () => {
      it('keeps times and version, and the document is found as any other', async () => {
        const document = toDocument('a', '我的猫叫小白', { tags: ['cat'], metadata: { n: 5, user_id: 'ann' } });
        await store.restore(await toRestored(7, document));
        const [record] = await store.read(['a'], everyone);
        expect(record?.document).toMatchObject({
          ...document,
          version: 7,
          created_at: '2019-05-04T03:02:01.000Z',
          updated_at: '2020-05-04T03:02:01.000Z',
        });
        const [vector = new Float32Array()] = await embedder.embed(['猫']);
        const selection = { ...everyone, condition: toRowCondition(parseFilter({ n: { gte: 5 } })) };
        const { byWords, byVector } = await store.find({ tokens: tokenize('猫'), vector }, selection, 5);
        expect([byWords, byVector]).toMatchObject([
          [{ candidate: { id: 'a', tags: ['cat'] } }],
          [{ candidate: { id: 'a', tags: ['cat'] } }],
        ]);
        expect((await store.list(everyone, { limit: 5 })).total).toBe(1);
      });

      it('replaces a document whoever owned it, and gives it another revision', async () => {
        await put(toDocument('a', 'of Ann', { metadata: { user_id: 'ann' } }));
        const before = await revisionOf('a');
        await store.restore(await toRestored(1, toDocument('a', 'of Bob', { metadata: { user_id: 'bob' } })));
        expect(await store.remove(before)).toBe('stale');
        const [record] = await store.read(['a'], everyone);
        expect(record?.document).toMatchObject({ content: 'of Bob', version: 1, metadata: { user_id: 'bob' } });
        expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 1, vectors: 1 });
        await put(toDocument('a', 'of Bob again', { metadata: { user_id: 'bob' } }));
        expect((await store.read(['a'], everyone))[0]?.document.version).toBe(2);
      });

      it('writes all or none', async () => {
        const [good, bad] = await toRestored(1, toDocument('good'), toDocument('bad'));
        const writes = good && bad ? [good, { ...bad, vector: new Float32Array(3) }] : [];
        await expect(store.restore(writes)).rejects.toMatchObject({ code: 'internal' });
        expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 0, vectors: 0 });
      });

      it('takes what was scanned elsewhere, and scans the same again', async () => {
        await store.restore(await toRestored(3, ...numbered(12)));
        const held = await scanAll(store, 5);
        const byId = [...held].sort((a, b) => (a.document.id < b.document.id ? -1 : 1));
        expect(byId.map(({ document: { version } }) => version)).toEqual(Array.from({ length: 12 }, () => 3));
      });
    });
  });
}
