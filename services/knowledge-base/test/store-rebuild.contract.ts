import type { Document } from '@contextloom/contracts';
import { createLexicalEmbedder } from '@contextloom/llm';
import { tokenize } from '@contextloom/retrieval';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TextEmbedder } from '../src/domain/embedder.ts';
import { toIndexes } from '../src/domain/indexing/indexing.ts';
import type { Derive, DocumentStore } from '../src/domain/store.ts';
import type { DescribeEngine, StoreSite } from './support/engines.ts';
import { everyone, embedder as old, toDocument, toWritesBy } from './support/stores.ts';

/** More than two batches of a rebuild. */
const COUNT = 150;
const BATCH = 64;

const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
const whole = { kind: 'complete', documents: COUNT };

const numbered = Array.from({ length: COUNT }, (_, at) => toDocument(`d-${at}`, `number ${at} 第${at}号`));

const small = createLexicalEmbedder({ dimensions: 64 });
const other = createLexicalEmbedder({ dimensions: 32 });
const put = async (store: DocumentStore, embedder: TextEmbedder, ...documents: readonly Document[]) =>
  store.put(await toWritesBy(embedder, ...documents), times);
const never = (): Promise<never> => new Promise(() => undefined);

/** Derives as an embedder does, notes of which documents, and meets a hindrance at one of its calls. */
function createDerive(
  embedder: TextEmbedder,
  hindrance: () => Promise<unknown> = async () => undefined,
  hinderedAt = 3,
) {
  const ids: string[] = [];
  let calls = 0;
  const derive: Derive = async (documents) => {
    calls += 1;
    if (calls === hinderedAt) await hindrance();
    ids.push(...documents.map(({ id }) => id));
    return toIndexes(documents, embedder);
  };
  return { derive, ids };
}
const fail = (): Promise<never> => Promise.reject(new Error('the embedder is gone'));

/** Describes a rebuild that is cut off and resumed. */
export function describeRebuild(describeEngine: DescribeEngine): void {
  describeEngine('a rebuild that is resumed', ({ openSite, takesSeveral }) => {
    let site: StoreSite;
    const opened: DocumentStore[] = [];
    beforeEach(async () => {
      site = await openSite();
      const store = await open(old);
      await put(store, old, ...numbered);
    });
    const closeAll = () => Promise.all(opened.splice(0).map((store) => store.close()));
    afterEach(async () => {
      await closeAll();
      await site.remove();
    });

    /** Opens the store as a process of its own; the one before is over where the engine takes one at a time. */
    async function open(embedder: TextEmbedder): Promise<DocumentStore> {
      if (!takesSeveral) await closeAll();
      const store = await site.open({ embedder: embedder.identity, onMismatch: 'rebuild' });
      opened.push(store);
      return store;
    }
    async function nearest(store: DocumentStore, embedder: TextEmbedder, query: string): Promise<string | undefined> {
      const [vector = new Float32Array()] = await embedder.embed([query]);
      return (await store.find({ tokens: tokenize('?'), vector }, everyone, 3)).byVector[0]?.candidate.id;
    }
    const revisionOf = async (store: DocumentStore, id: string): Promise<string> => {
      const [record] = await store.read([id], everyone);
      return record?.revision ?? 'none';
    };
    /** Begins a rebuild and lets it fail after two batches; answers of which documents it has derived the index. */
    async function cutOff(embedder: TextEmbedder): Promise<readonly string[]> {
      const { derive, ids } = createDerive(embedder, fail);
      await expect((await open(embedder)).rebuild(derive)).rejects.toThrow('the embedder is gone');
      expect(ids).toHaveLength(2 * BATCH);
      return ids;
    }
    async function expectFilled(embedder: TextEmbedder, count = COUNT): Promise<void> {
      if (!takesSeveral) await closeAll();
      const store = await site.open({ embedder: embedder.identity });
      opened.push(store);
      expect(await store.indexState()).toBe('own');
      expect(await store.stats(everyone.visible)).toMatchObject({ documents: count, vectors: count });
      expect(await nearest(store, embedder, 'number 7 第7号')).toBe('d-7');
    }

    it('does not derive again what it had derived, and says how far it is', async () => {
      const before = await cutOff(small);
      const store = await open(small);
      expect(await store.indexState()).toBe('unfinished');
      const { derive, ids } = createDerive(small);
      const progress: number[] = [];
      const onProgress = ({ documents, done }: { documents: number; done: number }): void => {
        expect(documents).toBe(COUNT);
        progress.push(done);
      };
      expect(await store.rebuild(derive, { resume: true, onProgress })).toEqual(whole);
      expect(new Set([...before, ...ids]).size).toBe(COUNT);
      expect(ids).toHaveLength(COUNT - 2 * BATCH);
      expect(progress.at(-1)).toBe(COUNT);
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
      await expectFilled(small);
    });

    it('derives again what changed meanwhile, and drops what is gone', async () => {
      const [changed = '', removed = ''] = await cutOff(small);
      const writer = await open(old);
      await put(writer, old, toDocument(changed, 'a train to Graz'), toDocument('late', 'green tea'));
      await writer.remove(await revisionOf(writer, removed));
      const { derive, ids } = createDerive(small);
      expect(await (await open(small)).rebuild(derive, { resume: true })).toEqual(whole);
      expect(ids).toEqual(expect.arrayContaining([changed, 'late']));
      expect(ids).toHaveLength(COUNT - 2 * BATCH + 2);
      const store = await open(small);
      expect(await nearest(store, small, 'a train to Graz')).toBe(changed);
      expect(await nearest(store, small, 'green tea')).toBe('late');
      expect(await store.stats(everyone.visible)).toMatchObject({ documents: COUNT, vectors: COUNT });
    });

    it('goes on after a process that was killed, which leaves nothing behind but what it had done', async () => {
      let stuck: () => void = () => undefined;
      const isStuck = new Promise<void>((resolve) => {
        stuck = resolve;
      });
      const hanging = createDerive(small, () => {
        stuck();
        return never();
      });
      const first = (await open(small)).rebuild(hanging.derive, { resume: true });
      await isStuck;
      const { derive, ids } = createDerive(small);
      expect(await (await open(small)).rebuild(derive, { resume: true })).toEqual(whole);
      expect(ids).toHaveLength(COUNT - 2 * BATCH);
      await expectFilled(small);
      expect(await Promise.race([first, Promise.resolve('still stuck')])).toBe('still stuck');
    });

    it('ends after the batch under way when it is told to, and goes on later', async () => {
      const interrupted = new AbortController();
      const first = createDerive(small, async () => interrupted.abort(), 2);
      const store = await open(small);
      const outcome = await store.rebuild(first.derive, { resume: true, signal: interrupted.signal });
      expect(outcome).toEqual({ kind: 'interrupted', documents: 2 * BATCH });
      const { derive, ids } = createDerive(small);
      expect(await store.rebuild(derive, { resume: true })).toEqual(whole);
      expect(ids).toHaveLength(COUNT - 2 * BATCH);
    });

    it('starts from nothing for another fingerprint, and without being asked to resume', async () => {
      await cutOff(small);
      const filledByOther = createDerive(other);
      const store = await open(other);
      expect(await store.indexState()).toBe('useless');
      expect(await store.rebuild(filledByOther.derive, { resume: true })).toEqual(whole);
      expect(new Set(filledByOther.ids).size).toBe(COUNT);
      await expectFilled(other);
      expect(await (await open(small)).indexState()).toBe('useless');

      await cutOff(small);
      const { derive, ids } = createDerive(small);
      expect(await (await open(small)).rebuild(derive)).toEqual(whole);
      expect(ids).toHaveLength(COUNT);
      await expectFilled(small);
    });

    if (!takesSeveral) return;

    it('leaves the store to the old embedder until the end, for reading and for writing', async () => {
      const user = await open(old);
      const seen: (string | undefined)[] = [];
      const whileSearching = createDerive(small, async () => {
        await put(user, old, toDocument('late', 'green tea'));
        seen.push(await nearest(user, old, 'green tea'), await nearest(user, old, 'number 7 第7号'));
        expect(await user.indexState()).toBe('own');
      });
      const outcome = await (await open(small)).rebuild(whileSearching.derive, { resume: true });
      expect(outcome).toEqual({ kind: 'complete', documents: COUNT + 1 });
      expect(seen).toEqual(['late', 'd-7']);
      await expectFilled(small, COUNT + 1);
      const advice = expect.objectContaining({ message: expect.stringContaining('dist/reembed.js') });
      const refusal = { code: 'unavailable', cause: advice };
      await expect(nearest(user, old, 'green tea')).rejects.toMatchObject(refusal);
    });

    describe('next to another one', () => {
      it.each([
        ['resumes', { resume: true }],
        ['starts again', {}],
      ])('that %s: the earlier ends with a conflict and writes nothing more', async (_name, how) => {
        let go: () => void = () => undefined;
        const gate = new Promise<void>((resolve) => {
          go = resolve;
        });
        let stuck: () => void = () => undefined;
        const isStuck = new Promise<void>((resolve) => {
          stuck = resolve;
        });
        const slow = createDerive(small, () => {
          stuck();
          return gate;
        });
        const earlier = (await open(small)).rebuild(slow.derive, { resume: true });
        await isStuck;
        expect(await (await open(small)).rebuild(createDerive(small).derive, how)).toEqual(whole);
        const filled = await open(small);
        // One that the earlier has in hand.
        const removed = numbered.find(({ id }) => !slow.ids.includes(id))?.id ?? '';
        await put(filled, small, toDocument('late', 'green tea'));
        await filled.remove(await revisionOf(filled, removed));
        go();
        await expect(earlier).rejects.toMatchObject({ code: 'conflict' });
        await expectFilled(small);
        expect(await filled.read([removed], everyone)).toEqual([]);
      });

      it('that begins at the same moment: one at most ends, with a conflict, and nothing is lost', async () => {
        const before = await cutOff(small);
        const stores = await Promise.all([open(small), open(small)]);
        const derives = stores.map(() => createDerive(small));
        const endings = await Promise.allSettled(
          stores.map((store, at) => store.rebuild(derives[at]?.derive ?? never, { resume: true })),
        );
        const refused = endings.filter(({ status }) => status === 'rejected');
        // Where one is done before the other begins, that one finds nothing to do.
        expect(refused.length).toBeLessThan(2);
        for (const one of refused) expect(one).toMatchObject({ reason: { code: 'conflict' } });
        expect(derives.flatMap(({ ids }) => ids).filter((id) => before.includes(id))).toEqual([]);
        await expectFilled(small);
      });
    });
  });
}
