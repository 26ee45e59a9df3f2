import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import type { DocumentStore } from '../src/domain/store.ts';
import type { ChromaAddress } from '../src/store/chroma/connection/address.ts';
import { connectToChroma } from '../src/store/chroma/connection/client.ts';
import { createLease, HeldElsewhereError, type Lease } from '../src/store/chroma/writing/lease.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { openChromaStoreAt, toAddress } from './support/chroma-store.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import { everyone, toDocument, toWrites } from './support/stores.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';

/** Long enough for a busy machine to show signs of life in. */
const LEASE_MS = 5_000;
const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
const put = async (store: DocumentStore, id: string, content = id) =>
  store.put(await toWrites(toDocument(id, content)), times);

describeWithChroma('the writer of a store on a Chroma server', () => {
  let server: Pick<ChromaServer, 'url'>;
  const undo: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await useSharedChroma();
  });
  afterEach(async () => {
    for (const one of undo.splice(0).reverse()) await one();
  });

  const open = async (address: ChromaAddress, holder: string): Promise<DocumentStore> => {
    const store = await openChromaStoreAt({ address, holder, leaseMs: LEASE_MS });
    undo.push(() => store.close());
    return store;
  };
  const openWhenFree = async (address: ChromaAddress, holder: string): Promise<DocumentStore> => {
    for (;;) {
      try {
        return await open(address, holder);
      } catch (error) {
        if (!(error instanceof HeldElsewhereError)) throw error;
      }
    }
  };
  const leaseOf = (address: ChromaAddress, holder: string): Lease => {
    const own = connectToChroma(address);
    const lease = createLease({ server: own, name: address.collection, holder, newId: randomUUID, leaseMs: LEASE_MS });
    undo.push(async () => {
      await lease.release().catch(() => undefined); // Its line may be cut.
      own.close();
    });
    return lease;
  };
  const toRefusal = (holder: string, { collection }: ChromaAddress) => ({
    code: 'unavailable',
    message: `${holder} writes to the collection "${collection}" of Chroma at ${server.url}, and one process does at a time: let this one ask that one's address (KB_URL), or end that one`,
  });

  it('is one: another is refused and told who it is, however long it lives, until it ends', async () => {
    const address = toAddress(server);
    const first = await open(address, 'the first');
    await put(first, 'a');
    await expect(open(address, 'the second')).rejects.toMatchObject(toRefusal('the first', address));
    await sleep(1.5 * LEASE_MS);
    await expect(open(address, 'the second')).rejects.toMatchObject(toRefusal('the first', address));
    await put(first, 'b');
    await first.close();
    const second = await open(address, 'the second');
    expect((await second.read(['a', 'b'], everyone)).map(({ document }) => document.id).sort()).toEqual(['a', 'b']);
  });

  it('is one of many that begin at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const address = toAddress(server);
      const leases = Array.from({ length: 6 }, (_, at) => leaseOf(address, `number ${at}`));
      const taken = await Promise.allSettled(leases.map((lease) => lease.take()));
      const terms = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(new Set(terms).size).toBe(terms.length);
    }
  });

  it('that was away for too long acknowledges nothing more, and overwrites nothing', async () => {
    const line = await startTcpProxy(Number(new URL(server.url).port));
    undo.push(line.close);
    const address = toAddress(server);
    const away = await open({ ...address, url: line.url }, 'the one away');
    await put(away, 'kept', 'acknowledged');
    line.isSilent = true;
    const next = await openWhenFree(address, 'the next');
    expect(await next.read(['kept'], everyone)).toMatchObject([{ document: { content: 'acknowledged' } }]);
    await put(next, 'kept', 'by the next');
    line.isSilent = false;
    line.cut();
    await expect(put(away, 'kept', 'by the one away')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(away.read(['kept'], everyone)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await next.read(['kept'], everyone)).toMatchObject([{ document: { content: 'by the next', version: 2 } }]);
  });
});
