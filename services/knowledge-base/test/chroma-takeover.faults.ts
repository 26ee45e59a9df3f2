import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import type { DocumentStore } from '../src/domain/store.ts';
import type { ChromaAddress } from '../src/store/chroma/connection/address.ts';
import { HeldElsewhereError } from '../src/store/chroma/writing/lease.ts';
import { expectTakenOver, fillEarlier, openBreakingLine } from './chroma-takeover.ts';
import { type ChromaServer, describeWithChroma } from './support/chroma-server.ts';
import { openChromaStoreAt, toAddress } from './support/chroma-store.ts';
import { useSharedChroma } from './support/shared-chroma.ts';

const LEASE_MS = 300;

/** Opens the store once the lease of the process that was cut off is over; what it had sent may still arrive meanwhile. */
async function openWhenFree(address: ChromaAddress): Promise<DocumentStore> {
  for (;;) {
    try {
      return await openChromaStoreAt({ address, leaseMs: LEASE_MS }, { earlierWaitMs: 1 });
    } catch (error) {
      if (!(error instanceof HeldElsewhereError)) throw error;
    }
  }
}

describeWithChroma('the takeover of what the version before filled, cut off at any of its changes', () => {
  let server: Pick<ChromaServer, 'url'>;
  beforeAll(async () => {
    server = await useSharedChroma();
  });

  it.each(['before', 'after'] as const)(
    '%s it reaches the server, goes on at the next start, and nothing is lost',
    async (side) => {
      let cuts = 0;
      for (let isWhole = false; !isWhole; cuts += 1) {
        const name = `kb-${randomUUID()}`;
        await fillEarlier(server, name);
        const line = await openBreakingLine(server.url, { nth: cuts + 1, side });
        const first = openChromaStoreAt({ address: toAddress(line, name), leaseMs: LEASE_MS }, { earlierWaitMs: 1 });
        const cut = await first.catch(() => undefined);
        isWhole = !line.isBroken();
        await line.close();
        await cut?.close();
        const store = await openWhenFree(toAddress(server, name));
        await expectTakenOver(store, server, name);
        await store.close();
      }
      // Lease, its beat, the next collection, two batches, its signs, the three removals and the renaming.
      expect(cuts).toBeGreaterThan(9);
    },
    1_200_000,
  );
});
