import { setTimeout as sleep } from 'node:timers/promises';
import { tokenize } from '@contextloom/retrieval';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Derive, DocumentStore } from '../src/domain/store.ts';
import type { DescribeEngine, OpenSiteOptions, StoreSite } from './support/engines.ts';
import { derive, embedder, everyone, hitIds, toDocument, toWrites } from './support/stores.ts';

/** More than two batches of a rebuild. */
const COUNT = 150;
const BATCH = 64;
const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
const numbered = Array.from({ length: COUNT }, (_, at) => toDocument(`d-${at}`, `number${at} 第${at}号`));

/** Derives, notes of which documents and how many vectors they brought along, and stands at a gate at one of its calls. */
function createDerive(gate: () => Promise<unknown> = async () => undefined, gatedAt = 2) {
  const seen = { ids: [] as string[], vectors: 0 };
  let calls = 0;
  const noting: Derive = async (documents) => {
    calls += 1;
    if (calls === gatedAt) await gate();
    seen.ids.push(...documents.map(({ id }) => id));
    seen.vectors += documents.filter(({ vector }) => vector !== undefined).length;
    return derive(documents);
  };
  return { derive: noting, seen };
}

/** A gate, and the promise that somebody stands at it. */
function createGate() {
  let [arrive, pass] = [(): void => undefined, (): void => undefined];
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    pass = resolve;
  });
  const stand = (): Promise<void> => {
    arrive();
    return opened;
  };
  return { arrived, stand, pass: () => pass() };
}

/** Describes how the index of an earlier version is made again while the store serves. */
export function describeUpgrade(describeEngine: DescribeEngine): void {
  describeEngine('a store that another version of the program indexed', ({ openSite, takesSeveral }) => {
    let site: StoreSite;
    const opened: DocumentStore[] = [];
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
      await site.remove();
    });
    beforeEach(async () => {
      site = await openSite();
    });

    const open = async (how: OpenSiteOptions): Promise<DocumentStore> => {
      const store = await site.open({ onMismatch: 'upgrade', ...how });
      opened.push(store);
      return store;
    };
    const fillBefore = async (model = embedder.identity.model): Promise<void> => {
      const before = await site.open({ indexVersion: 1, embedder: { ...embedder.identity, model } });
      await before.put(await toWrites(...numbered), times);
      await before.close();
    };
    const find = async (store: DocumentStore, text: string) => {
      const [vector = new Float32Array()] = await embedder.embed([text]);
      return store.find({ tokens: tokenize(text), vector }, everyone, 3);
    };
    const expectFound = async (store: DocumentStore): Promise<void> => {
      for (const [text, id] of [
        ['number7', 'd-7'],
        ['第149号', 'd-149'],
      ] as const) {
        const { byWords, byVector } = await find(store, text);
        expect([hitIds(byWords)[0], hitIds(byVector)[0]]).toEqual([id, id]);
      }
    };
    const untilOwn = async (store: DocumentStore): Promise<void> => {
      while (store.upgradeProgress() !== undefined) await sleep(20);
      expect(await store.indexState()).toBe('own');
      expect(await store.stats(everyone.visible)).toMatchObject({ documents: COUNT, vectors: COUNT });
      await expectFound(store);
    };

    it('serves by the earlier index while the new one is made, with what is written meanwhile', async () => {
      await fillBefore();
      const gate = createGate();
      const { derive, seen } = createDerive(gate.stand);
      const store = await open({ derive });
      await gate.arrived;
      await expectFound(store);
      await store.check();
      expect(store.upgradeProgress()).toEqual({ documents: COUNT, done: BATCH });
      const [record] = await store.read(['d-3'], everyone);
      expect(await store.remove(record?.revision ?? '')).toBe('removed');
      await store.put(await toWrites(toDocument('late', 'a ferry in the fog')), times);
      expect(hitIds((await find(store, 'ferry fog')).byWords)).toEqual(['late']);
      gate.pass();
      await untilOwn(store);
      expect(hitIds((await find(store, 'ferry fog')).byWords)).toEqual(['late']);
      expect(hitIds((await find(store, 'number3')).byWords)).toEqual([]);
      // Those of the same embedder cost nothing again.
      expect(seen.vectors).toBe(seen.ids.length);
    });

    it('is found by words alone until its vectors are those of this version', async () => {
      await fillBefore('lexical-v0');
      const gate = createGate();
      const { derive, seen } = createDerive(gate.stand);
      const store = await open({ derive });
      await gate.arrived;
      const { byWords, byVector } = await find(store, 'number7');
      expect(hitIds(byWords)).toEqual(['d-7']);
      expect(byVector.every(({ score }) => score === 0)).toBe(true);
      gate.pass();
      await untilOwn(store);
      expect(seen.vectors).toBe(0);
    });

    it('goes on where it was cut off', async () => {
      await fillBefore();
      const gate = createGate();
      const first = createDerive(gate.stand);
      const cut = await site.open({ onMismatch: 'upgrade', derive: first.derive });
      await gate.arrived;
      const closing = cut.close();
      gate.pass();
      await closing;
      const second = createDerive();
      const store = await open({ derive: second.derive });
      await untilOwn(store);
      expect(second.seen.ids.length).toBeLessThanOrEqual(COUNT - BATCH);
    });

    it('tries again after a failure, and serves meanwhile', async () => {
      await fillBefore();
      const warned: string[] = [];
      const log = { info: () => undefined, warn: (_fields: object, message: string) => void warned.push(message) };
      const { derive } = createDerive(() => Promise.reject(new Error('the embedder is gone')));
      const store = await open({ derive, log });
      while (warned.length === 0) await sleep(20);
      await expectFound(store);
      expect(warned[0]).toMatch(/could not be rebuilt/);
    });

    it('serves without being made again where nothing can make it, as in a check', async () => {
      await fillBefore();
      const store = await open({});
      await expectFound(store);
      expect(store.upgradeProgress()).toBeUndefined();
      expect(await store.indexState()).toBe('useless');
    });

    it('is refused, with the command, when another embedder filled it', async () => {
      await fillBefore();
      const other = { provider: 'openai', model: 'small', dimensions: embedder.identity.dimensions };
      await expect(open({ embedder: other, derive })).rejects.toMatchObject({
        code: 'unavailable',
        cause: expect.objectContaining({ message: expect.stringContaining('dist/reembed.js') }),
      });
    });

    if (!takesSeveral) return;

    it('is made again once by two processes that open it at once, and serves in both', async () => {
      await fillBefore();
      const [left, right] = [createDerive(), createDerive()];
      const stores = await Promise.all([open({ derive: left.derive }), open({ derive: right.derive })]);
      await Promise.all(stores.map(expectFound));
      await Promise.all(stores.map(untilOwn));
      expect(left.seen.ids.length + right.seen.ids.length).toBeLessThanOrEqual(COUNT + 2 * BATCH);
    });
  });
}
