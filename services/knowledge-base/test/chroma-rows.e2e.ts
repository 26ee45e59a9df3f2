import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { tokenize } from '@contextloom/retrieval';
import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ChromaClient, type Collection } from 'chromadb';
import type { DocumentStore } from '../src/domain/store.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { openChromaStoreAt, toAddress } from './support/chroma-store.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import { derive, embedder, everyone, hitIds, seenBy, toDocument, toWrites } from './support/stores.ts';

const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };

describeWithChroma('the rows of a store on a Chroma server', () => {
  let server: Pick<ChromaServer, 'url'>;
  let client: ChromaClient;
  let collection: Collection;
  let store: DocumentStore;
  beforeAll(async () => {
    server = await useSharedChroma();
    const { hostname, port } = new URL(server.url);
    client = new ChromaClient({ host: hostname, port: Number(port) });
  });
  beforeEach(async () => {
    const address = toAddress(server);
    store = await openChromaStoreAt({ address }, { watchMs: 50 });
    await store.put(await toWrites(ann, bob), times);
    // Without an embedding function, as any client opens it that brings its own vectors.
    collection = client.collection((await client.getCollection({ name: address.collection })).id);
  });
  afterEach(() => store.close());

  const ann = toDocument('tea', 'Ann drinks green tea', {
    tags: ['memory', '茶'],
    metadata: { user_id: 'ann', importance: 7.5, places: ['Leith', { zip: 6 }], gone: null, 城市: '上海', ok: true },
  });
  const bob = toDocument('train', 'a train to Graz', { metadata: { user_id: 'bob', importance: 2 } });
  const where = async (condition: object): Promise<readonly string[]> =>
    (await collection.get({ where: condition as { user_id: string } })).ids;
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await sleep(20);
  };
  const readOne = async (id: string) => (await store.read([id], everyone))[0];

  it('are read by every client: the text alone, the metadata under its own keys', async () => {
    const { documents, metadatas } = await collection.get({ ids: ['tea'] });
    expect(documents).toEqual(['Ann drinks green tea']);
    expect(metadatas[0]).toMatchObject({
      user_id: 'ann',
      importance: 7.5,
      城市: '上海',
      ok: true,
      places: '["Leith",{"zip":6}]',
      'tag:memory': true,
      'tag:茶': true,
    });
    expect(Object.keys(metadatas[0] ?? {})).not.toContain('gone');
  });

  it('are filtered and found near a vector by every client', async () => {
    expect(await where({ user_id: 'ann' })).toEqual(['tea']);
    expect(await where({ 'tag:memory': true })).toEqual(['tea']);
    expect(await where({ $and: [{ importance: { $gte: 1 } }, { importance: { $lt: 5 } }] })).toEqual(['train']);
    const queryEmbeddings = (await embedder.embed(['green tea'])).map((vector) => [...vector]);
    expect((await collection.query({ queryEmbeddings, nResults: 2 })).ids).toEqual([['tea', 'train']]);
    const whereDocument = { $contains: 'Graz' };
    expect((await collection.get({ whereDocument })).ids).toEqual(['train']);
  });

  it('lose the keys and tags that their documents lose', async () => {
    await store.put(await toWrites(toDocument('tea', 'tea', { tags: ['new'], metadata: { user_id: 'ann' } })), times);
    expect(await where({ ok: true })).toEqual([]);
    expect(await where({ 'tag:memory': true })).toEqual([]);
    const [notes] = (await collection.get({ ids: ['tea'] })).metadatas;
    expect(Object.keys(notes ?? {}).sort()).toEqual(['contextloom', 'tag:new', 'user_id']);
    expect(await where({ user_id: 'ann' })).toEqual(['tea']);
  });

  it('that another client adds are documents of the user whom they name, and get vectors', async () => {
    const ids = [randomUUID(), randomUUID()];
    const [first = '', second = ''] = ids;
    await collection.add({
      ids,
      documents: ['a parrot in Porto', '她在上海养鹦鹉'],
      metadatas: [{ user_id: 'ann', 'tag:pet': true, seen: 3 }, { source: 'notes' }],
      embeddings: ids.map(() => new Array(embedder.identity.dimensions).fill(0.5)),
    });
    await until(async () => (await readOne(second)) !== undefined);
    const found = await store.read(ids, seenBy('bob'));
    expect(found.map(({ document }) => document.id)).toEqual([second]);
    expect((await readOne(first))?.document).toMatchObject({
      content: 'a parrot in Porto',
      tags: ['pet'],
      metadata: { user_id: 'ann', seen: 3 },
      version: 1,
    });
    const find = async (query: string) => {
      const [vector] = await embedder.embed([query]);
      return store.find({ tokens: tokenize(query), vector }, seenBy('ann'), 1);
    };
    expect(hitIds((await find('鹦鹉')).byWords)).toEqual([second]);
    expect(await store.embedWaiting(embedder.embed)).toBe(2);
    expect((await find('a parrot in Porto')).byVector[0]).toMatchObject({
      candidate: { id: first },
      score: expect.closeTo(1),
    });
    expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 4, vectors: 4 });
  });

  it('that another client removes are documents no more', async () => {
    await collection.delete({ ids: ['train'] });
    await until(async () => (await readOne('train')) === undefined);
    expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 1 });
  });

  it('without a text are left as they are, and no rebuild loses them', async () => {
    const embeddings = [new Array(embedder.identity.dimensions).fill(0.25)];
    await collection.add({ ids: ['picture'], metadatas: [{ user_id: 'ann' }], embeddings });
    await expect(store.rebuild(derive)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/no text/),
    });
    expect(await store.stats({ kind: 'everyone' })).toMatchObject({ documents: 2 });
    await collection.delete({ ids: ['picture'] });
    expect(await store.rebuild(derive)).toEqual({ kind: 'complete', documents: 2 });
  });
});

describeWithChroma('a collection that another program made', () => {
  it('is refused by its name, and left as it is', async () => {
    const server = await useSharedChroma();
    const { hostname, port } = new URL(server.url);
    const client = new ChromaClient({ host: hostname, port: Number(port) });
    const name = `theirs-${randomUUID()}`;
    const theirs = await client.createCollection({ name, embeddingFunction: null });
    await theirs.add({ ids: ['a'], documents: ['theirs'], embeddings: [[1, 2]] });
    await expect(openChromaStoreAt({ address: toAddress(server, name) })).rejects.toMatchObject({
      code: 'unavailable',
      message: `the collection "${name}" of Chroma at ${server.url} was not made by this program: choose another name in CHROMA_COLLECTION`,
    });
    expect((await theirs.get()).documents).toEqual(['theirs']);
  });
});
