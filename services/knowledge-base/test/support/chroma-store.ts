import { randomUUID } from 'node:crypto';
import { silentLog } from '@contextloom/runtime';
import type { DocumentStore } from '../../src/domain/store.ts';
import type { ChromaAddress } from '../../src/store/chroma/connection/address.ts';
import { type ChromaStoreOptions, openChromaStore } from '../../src/store/chroma/store.ts';
import { createWriteIntents } from '../../src/store/chroma/writing/write-intents.ts';
import type { ChromaServer } from './chroma-server.ts';
import { embedder, type TemporaryStore } from './stores.ts';

/** The address of a store on a server, under a name that no other store has unless it is given. */
export function toAddress({ url }: Pick<ChromaServer, 'url'>, collection = `kb-${randomUUID()}`): ChromaAddress {
  return { url, apiKey: undefined, tenant: undefined, database: undefined, collection };
}

/** A tenth of what it is outside of tests: each rebuild waits for longer than that. */
const CATALOG_LEASE_MS = 100;

/** Opens a store on a server as a process of its own would. */
export function openChromaStoreAt(
  address: ChromaAddress,
  options: Partial<ChromaStoreOptions> = {},
): Promise<DocumentStore> {
  const intents = createWriteIntents(randomUUID());
  return openChromaStore({
    address,
    embedder: embedder.identity,
    intents,
    newId: randomUUID,
    log: silentLog,
    catalogLeaseMs: CATALOG_LEASE_MS,
    ...options,
  });
}

/** Opens an empty store on a server, which keeps its rows until it is stopped. */
export async function openTemporaryChromaStore(
  server: Pick<ChromaServer, 'url'>,
  options: Partial<ChromaStoreOptions> = {},
): Promise<TemporaryStore> {
  const store = await openChromaStoreAt(toAddress(server), options);
  return { store, remove: () => store.close() };
}
