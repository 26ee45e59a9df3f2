import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { readSettings, silentLog } from '@contextloom/runtime';
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { storeSettings } from '../src/config.ts';
import type { DocumentStore } from '../src/domain/store.ts';
import { chromaEngine } from '../src/store/chroma/engine.ts';
import { describeTransfer } from './store-transfer.contract.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { makeFolder } from './support/service.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import { derive, embedder, everyone, type TemporaryStore, toDocument, toWrites } from './support/stores.ts';

const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };

describeWithChroma('a store on a Chroma server that another process of the same folder writes to', () => {
  let server: Pick<ChromaServer, 'url'>;
  const undo: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await useSharedChroma();
  });
  afterEach(async () => {
    for (const one of undo.splice(0).reverse()) await one();
  });

  const open = (dataDir: string, collection: string, identity = embedder.identity): Promise<DocumentStore> => {
    const env = { KB_DATA_DIR: dataDir, CHROMA_URL: server.url, CHROMA_COLLECTION: collection };
    const options = { embedder: identity, clock: () => new Date(), newId: randomUUID, log: silentLog, isPatient: true };
    return chromaEngine.open(readSettings(storeSettings, env).values, options);
  };
  const openTwo = async (): Promise<TemporaryStore & { readonly writer: DocumentStore }> => {
    const [folder, collection] = [await makeFolder(), `kb-${randomUUID()}`];
    const writer = await open(folder, collection);
    await writer.stats(everyone.visible);
    const store = await open(folder, collection);
    const remove = async (): Promise<void> => {
      await store.close();
      await writer.close();
      await rm(folder, { recursive: true, force: true });
    };
    return { store, writer, remove };
  };

  describeTransfer('through the process that writes', openTwo);

  it('is one store: each sees at once what the other wrote, and the last one left writes itself', async () => {
    const { store, writer, remove } = await openTwo();
    undo.push(remove);
    await store.put(await toWrites(toDocument('a', 'through')), times);
    await writer.put(await toWrites(toDocument('b', 'itself')), times);
    const ids = async (one: DocumentStore) => (await one.read(['a', 'b'], everyone)).map(({ document }) => document.id);
    expect([(await ids(store)).length, (await ids(writer)).length]).toEqual([2, 2]);
    await expect(store.rebuild(derive)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`the process ${process.pid} on`),
    });
    await writer.close();
    await expect(store.stats(everyone.visible)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.stats(everyone.visible)).toMatchObject({ documents: 2 });
    expect(await store.rebuild(derive)).toMatchObject({ documents: 2 });
  });

  it('is refused to a process of another folder, and to one with another embedder', async () => {
    const [folder, elsewhere, collection] = [await makeFolder(), await makeFolder(), `kb-${randomUUID()}`];
    const [writer, far] = [await open(folder, collection), await open(elsewhere, collection)];
    const other = await open(folder, collection, { ...embedder.identity, provider: 'openai' });
    undo.push(...[folder, elsewhere].map((one) => () => rm(one, { recursive: true, force: true })));
    undo.push(() => Promise.all([writer, far, other].map((one) => one.close())));
    await writer.put(await toWrites(toDocument('a')), times);
    const holder = expect.stringContaining(`the process ${process.pid} on`);
    await expect(far.read(['a'], everyone)).rejects.toMatchObject({ code: 'unavailable', message: holder });
    await expect(other.read(['a'], everyone)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/filled by the embedder lexical .* openai/),
    });
    expect(await writer.read(['a'], everyone)).toHaveLength(1);
  });
});
