import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Derive, DocumentStore } from '../src/domain/store.ts';
import type { ChromaAddress } from '../src/store/chroma/connection/address.ts';
import { connectToChroma } from '../src/store/chroma/connection/client.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { openChromaStoreAt, toAddress } from './support/chroma-store.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import { derive, everyone, toDocument, toWrites } from './support/stores.ts';

const COUNT = 70;
/** How long others wait for who is about to take over; 15 s outside of tests. */
const CLOSING_LEASE_MS = 200;
const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
const put = async (store: DocumentStore, ...ids: readonly string[]) =>
  store.put(await toWrites(...ids.map((id) => toDocument(id))), times);

describeWithChroma('the end of a rebuild, while writers wait', () => {
  let server: Pick<ChromaServer, 'url'>;
  beforeAll(async () => {
    server = await useSharedChroma();
  });

  let address: ChromaAddress;
  let maker: DocumentStore;
  let user: DocumentStore;
  beforeEach(async () => {
    address = toAddress(server);
    [maker, user] = [await openChromaStoreAt(address), await openChromaStoreAt(address)];
    await put(maker, ...Array.from({ length: COUNT }, (_, at) => `d-${at}`));
  });
  const readClosing = async (): Promise<unknown> =>
    (await connectToChroma(address).findCollection(address.collection))?.notes['closing'];

  it('is begun again when it took so long that a writer went on, so that no write is lost', async () => {
    const impatient = await openChromaStoreAt(address, { closingLeaseMs: CLOSING_LEASE_MS });
    const seen: unknown[] = [];
    const slow: Derive = async (documents) => {
      const closing = await readClosing();
      if (closing !== '' && seen.length === 0) {
        // The writer waits for this one to end, and then takes it for lost.
        await put(impatient, 'late');
        seen.push(closing, await readClosing());
      }
      return derive(documents);
    };
    const written = ['late'];
    // The last pass derives only what is written after the closing is shown: again until a write comes in time for it.
    while (seen.length === 0) {
      let isOver = false;
      const rebuild = maker.rebuild(slow).finally(() => {
        isOver = true;
      });
      while (!isOver && (await readClosing()) === '') await sleep(1);
      const id = `last-${written.length}`;
      await put(user, id);
      written.push(id);
      expect(await rebuild).toMatchObject({ kind: 'complete' });
    }
    expect(seen).toEqual([expect.stringMatching(/./), '']);
    expect(await impatient.read(written, everyone)).toHaveLength(written.length);
  });

  it('is taken up by the next when its process was lost, and writers go on', async () => {
    const first = maker.rebuild(derive);
    const isLost = expect(first).rejects.toMatchObject({ code: 'unavailable' });
    while ((await readClosing()) === '') await sleep(10);
    await maker.close();
    await isLost;
    expect(await readClosing()).not.toBe('');
    const next = await openChromaStoreAt(address);
    expect(await next.indexState()).toBe('unfinished');
    const ids: string[] = [];
    const noting: Derive = (documents) => {
      ids.push(...documents.map(({ id }) => id));
      return derive(documents);
    };
    await Promise.all([next.rebuild(noting, { resume: true }), put(user, 'late')]);
    expect(ids.filter((id) => id !== 'late')).toEqual([]);
    expect(await readClosing()).toBe('');
    expect(await user.read(['d-7', 'late'], everyone)).toHaveLength(2);
  });
});
