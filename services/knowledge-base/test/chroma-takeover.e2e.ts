import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { inspect } from '../src/store/chroma/rows/inspect.ts';
import { COUNT, expectTakenOver, fillEarlier, toEarlierDocument } from './chroma-takeover.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { openChromaStoreAt, toAddress } from './support/chroma-store.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import { embedder, everyone, toDocument, toWrites } from './support/stores.ts';

const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };

describeWithChroma('a store on a Chroma server that the version before filled', () => {
  let server: Pick<ChromaServer, 'url'>;
  beforeAll(async () => {
    server = await useSharedChroma();
  });

  it('is taken over when it is opened, its rows in the form that every client reads', async () => {
    const name = `kb-${randomUUID()}`;
    await fillEarlier(server, name);
    const address = toAddress(server, name);
    expect(await inspect(address)).toMatchObject({ waiting: 1 });
    const store = await openChromaStoreAt({ address });
    await expectTakenOver(store, server, name);
    expect(await store.embedWaiting(embedder.embed)).toBe(1);
    await store.put(await toWrites(toDocument('new', 'after the update')), times);
    await store.close();
    const reopened = await openChromaStoreAt({ address });
    expect(await reopened.stats(everyone.visible)).toMatchObject({ documents: COUNT + 1, vectors: COUNT + 1 });
    expect((await reopened.read(['d#3'], everyone))[0]?.document).toEqual(toEarlierDocument(3));
    await reopened.close();
  });
});
