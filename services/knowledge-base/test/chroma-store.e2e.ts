import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from '@contextloom/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DocumentStore } from '../src/domain/store.ts';
import type { ChromaAddress } from '../src/store/chroma/connection/address.ts';
import { connectToChroma } from '../src/store/chroma/connection/client.ts';
import { lookUp } from '../src/store/chroma/reading/lookup.ts';
import { readStoredEmbedder } from '../src/store/chroma/rows/stored-embedder.ts';
import { createWriteIntents } from '../src/store/chroma/writing/write-intents.ts';
import { checkVector, toRows } from '../src/store/chroma/writing/write-rows.ts';
import { describeDocumentStore } from './store.contract.ts';
import { describeKeys } from './store-keys.contract.ts';
import { describeTransfer } from './store-transfer.contract.ts';
import { describeWaiting } from './store-waiting.contract.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { openChromaStoreAt, openTemporaryChromaStore, toAddress } from './support/chroma-store.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import { derive, embedder, everyone, toDocument, toWrites } from './support/stores.ts';

const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
const other = { provider: 'openai', model: 'text-embedding-3-small', dimensions: embedder.identity.dimensions };

const put = async (store: DocumentStore, ...documents: readonly Document[]) =>
  store.put(await toWrites(...documents), times);
const openCurrent = async (address: ChromaAddress) => {
  const chroma = connectToChroma(address);
  const catalog = await chroma.findCollection(address.collection);
  const generation = await chroma.findCollection(String(catalog?.notes['current']));
  if (generation === undefined) throw new Error('there is no generation in use');
  return generation;
};
const readOne = async (store: DocumentStore, id: string) => (await store.read([id], everyone))[0];

describeWithChroma('a Chroma server', () => {
  let server: Pick<ChromaServer, 'url'>;
  beforeAll(async () => {
    server = await useSharedChroma();
  });

  describeDocumentStore('on a Chroma server', () => openTemporaryChromaStore(server));
  describeKeys('on a Chroma server', () => openTemporaryChromaStore(server));
  describeTransfer('on a Chroma server', () => openTemporaryChromaStore(server));
  describeWaiting('on a Chroma server', () => openTemporaryChromaStore(server));
  describeWaiting('on a Chroma server, by its index', () => openTemporaryChromaStore(server, { maxRowsExact: 0 }));

  describe('two processes on one Chroma store', () => {
    let [one, two]: DocumentStore[] = [];
    const both = async (): Promise<readonly [DocumentStore, DocumentStore]> => {
      const address = toAddress(server);
      [one, two] = await Promise.all([openChromaStoreAt(address), openChromaStoreAt(address)]);
      if (one === undefined || two === undefined) throw new Error('not opened');
      return [one, two];
    };

    it('make one store of it when both are the first', async () => {
      const [left, right] = await both();
      await put(left, toDocument('a', 'of the left'));
      expect((await readOne(right, 'a'))?.document.content).toBe('of the left');
    });

    it('write one new document at once: one is first, the other replaces it', async () => {
      const [left, right] = await both();
      await Promise.all([put(left, toDocument('a', 'of the left')), put(right, toDocument('a', 'of the right'))]);
      expect((await readOne(left, 'a'))?.document.version).toBe(2);
      expect(await left.stats({ kind: 'everyone' })).toMatchObject({ documents: 1, vectors: 1 });
    });

    it('replace batches that overlap at once, each as a whole, and none is lost', async () => {
      const [left, right] = await both();
      const batch = (word: string) => Array.from({ length: 20 }, (_, at) => toDocument(`d-${at}`, `${word} ${at}`));
      await put(left, ...batch('before'));
      for (let round = 0; round < 5; round += 1) {
        await Promise.all([put(left, ...batch(`left ${round}`)), put(right, ...batch(`right ${round}`).slice(5))]);
      }
      const { documents } = await left.list(everyone, { limit: 50 });
      expect(documents).toHaveLength(20);
      expect(documents.filter(({ id }) => Number(id.slice(2)) < 5).every(({ version }) => version === 6)).toBe(true);
      const contested = documents.filter(({ id }) => Number(id.slice(2)) >= 5);
      expect(contested.map(({ version }) => version)).toEqual(contested.map(() => 11));
      expect(new Set(contested.map(({ content }) => content.split(' ')[0])).size).toBe(1);
    });

    it('replace and remove one revision at once: one does, the other is told', async () => {
      const [left, right] = await both();
      for (let round = 0; round < 5; round += 1) {
        await put(left, toDocument('a', `round ${round}`));
        const revision = (await readOne(left, 'a'))?.revision ?? '';
        const [write] = await toWrites(toDocument('a', 'replaced'));
        if (write === undefined) throw new Error('no write was made');
        const outcomes = await Promise.all([left.replace(revision, write, times), right.remove(revision)]);
        expect(outcomes.filter((outcome) => outcome === 'stale')).toHaveLength(1);
        const after = await readOne(left, 'a');
        if (outcomes[0] !== 'stale') expect(after?.document.content).toBe('replaced');
        if (outcomes[1] === 'removed') expect(after).toBeUndefined();
      }
    });

    it('go on over an index that one of them rebuilds, and lose no write meanwhile', async () => {
      const [left, right] = await both();
      await put(left, ...Array.from({ length: 70 }, (_, at) => toDocument(`d-${at}`, `number ${at}`)));
      const rebuild = left.rebuild(derive);
      let isOver = false;
      const over = rebuild.then(() => {
        isOver = true;
      });
      const written: string[] = [];
      for (let at = 0; !isOver && at < 500; at += 1) {
        const id = `late-${at}`;
        await put(right, toDocument(id, `late ${at}`));
        written.push(id);
        if (at < 60) await right.remove((await readOne(right, `d-${at}`))?.revision ?? '');
        await sleep(5);
      }
      await over;
      const found = await left.read(written, everyone);
      expect(found).toHaveLength(written.length);
      const removed = Array.from({ length: Math.min(60, written.length) }, (_, at) => `d-${at}`);
      expect(await right.read(removed, everyone)).toEqual([]);
    });
  });

  describe('what a process that was lost in the middle of a write left', () => {
    /** Writes intents as a process does that is lost before it can publish them; `count` says how many it meant to write. */
    const leaveIntents = async (address: ChromaAddress, documents: readonly Document[], count: number) => {
      const { rows } = await openCurrent(address);
      const held = await lookUp(
        rows,
        documents.map(({ id }) => id),
      );
      const planned = (await toWrites(...documents)).map((write) => {
        const before = held.get(write.document.id)?.live;
        const history = { version: (before?.head.version ?? 0) + 1, created_at: times.at, updated_at: times.at };
        return { write: checkVector(write, embedder.identity.dimensions), before, history };
      });
      const intents = toRows(planned, `lost-${randomUUID()}`, false);
      await rows.add(intents.slice(0, count));
      return rows;
    };
    const openSoon = (address: ChromaAddress) =>
      openChromaStoreAt(address, { intents: createWriteIntents(randomUUID(), 200) });
    const open = async (): Promise<readonly [ChromaAddress, DocumentStore]> => {
      const address = toAddress(server);
      const store = await openSoon(address);
      await put(store, toDocument('a', 'before'), toDocument('b', 'before'));
      return [address, store];
    };
    const contents = async (store: DocumentStore) =>
      (await store.list(everyone, { limit: 10 })).documents.map(({ id, content }) => [id, content]);

    it('shows nothing, and is finished by the next writer of the same document when it is whole', async () => {
      const [address, store] = await open();
      await leaveIntents(address, [toDocument('a', 'intended'), toDocument('c', 'intended')], 2);
      expect(await contents(store)).toEqual([
        ['a', 'before'],
        ['b', 'before'],
      ]);
      await put(store, toDocument('a', 'after'));
      expect(await contents(store)).toEqual([
        ['a', 'after'],
        ['b', 'before'],
        ['c', 'intended'],
      ]);
      expect((await readOne(store, 'a'))?.document.version).toBe(3);
    });

    it('is taken back by the next start when a part of it is missing, and dead rows go', async () => {
      const [address, store] = await open();
      const rows = await leaveIntents(address, [toDocument('a', 'intended'), toDocument('b', 'intended')], 1);
      const [live] = [...(await lookUp(rows, ['b'])).values()].map((held) => held.live);
      await rows.mark([{ id: live?.id ?? '', notes: { 'doc:owner': '', 'doc:dead': true } }]);
      const started = await openSoon(address);
      while ((await rows.count()) > 1) await sleep(20);
      expect(await rows.count()).toBe(1);
      expect(await contents(started)).toEqual([['a', 'before']]);
      expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 1 });
    });
  });

  describe('a Chroma store and its embedder', () => {
    it('tells which embedder filled it, once it holds a document', async () => {
      const address = toAddress(server);
      expect(await readStoredEmbedder(address)).toBeUndefined();
      const store = await openChromaStoreAt(address);
      expect(await readStoredEmbedder(address)).toBeUndefined();
      await put(store, toDocument('a', 'green tea'));
      expect(await readStoredEmbedder(address)).toEqual(embedder.identity);
    });

    it('refuses to open what another embedder filled, and says how to fill it again', async () => {
      const address = toAddress(server);
      const store = await openChromaStoreAt(address);
      await put(store, toDocument('a', 'green tea'));
      await expect(openChromaStoreAt(address, { embedder: other })).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/lexical .*openai /),
        cause: expect.objectContaining({ message: expect.stringContaining('dist/reembed.js') }),
      });
      const rebuild = await openChromaStoreAt(address, { embedder: other, onMismatch: 'rebuild' });
      await expect(rebuild.stats({ kind: 'everyone' })).rejects.toMatchObject({ code: 'unavailable' });
      expect(await rebuild.rebuild(derive)).toEqual({ kind: 'complete', documents: 1 });
      await expect(readOne(store, 'a')).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('openai'),
      });
      const reopened = await openChromaStoreAt(address, { embedder: other });
      expect((await readOne(reopened, 'a'))?.document.content).toBe('green tea');
    });

    it('belongs to whichever embedder comes next while it is empty', async () => {
      const address = toAddress(server);
      await (await openChromaStoreAt(address)).close();
      await put(await openChromaStoreAt(address, { embedder: other }), toDocument('a'));
      await expect(openChromaStoreAt(address)).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('lets the later of two rebuildings go on, and ends the earlier one', async () => {
      const store = await openChromaStoreAt(toAddress(server));
      await put(store, toDocument('a'), toDocument('b'));
      let later: ReturnType<typeof store.rebuild> | undefined;
      const earlier = store.rebuild(async (documents) => {
        later ??= store.rebuild(derive);
        await later;
        return derive(documents);
      });
      const endings = await Promise.allSettled([earlier, earlier.catch(() => later)]);
      expect(endings).toMatchObject([
        { status: 'rejected', reason: { code: 'conflict' } },
        { status: 'fulfilled', value: { documents: 2 } },
      ]);
      expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 2 });
    });
  });
});
