import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import type { DocumentStore } from '../../src/domain/store.ts';
import type { ChromaAddress } from '../../src/store/chroma/connection/address.ts';
import { type ChromaStoreOptions, openChromaStore, openWriterProcess } from '../../src/store/chroma/store.ts';
import type { ChromaServer } from './chroma-server.ts';
import { embedder, type TemporaryStore } from './stores.ts';

/** The address of a store on a server, under a name that no other store has unless it is given. */
export function toAddress({ url }: Pick<ChromaServer, 'url'>, collection = `kb-${randomUUID()}`): ChromaAddress {
  return { url, apiKey: undefined, tenant: undefined, database: undefined, collection };
}

/** A store on a server, which a process of its own would have open. */
export interface OpenChromaStore {
  readonly address: ChromaAddress;
  /** The folder of its index; one of its own where none is given. */
  readonly folder?: string;
  readonly holder?: string;
  readonly leaseMs?: number;
}

/** Makes a folder for an index under the system's temporary one. */
export const makeIndexFolder = (): string => mkdtempSync(join(tmpdir(), 'contextloom-chroma-index-'));

/** Opens a store on a server as a process of its own would. */
export async function openChromaStoreAt(
  { address, folder, holder = 'another process of the test', leaseMs }: OpenChromaStore,
  options: Partial<ChromaStoreOptions> = {},
): Promise<DocumentStore> {
  const own = folder ?? makeIndexFolder();
  const lease = { address, holder, newId: randomUUID, ...(leaseMs !== undefined && { leaseMs }) };
  const process = openWriterProcess(lease);
  const remove = async (): Promise<void> => {
    await process.close();
    if (folder === undefined) await rm(own, { recursive: true, force: true });
  };
  const opening = openChromaStore({
    address,
    place: { folder: own },
    process,
    embedder: embedder.identity,
    clock: () => new Date(),
    newId: randomUUID,
    log: silentLog,
    ...options,
  });
  const store = await opening.catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const close = async (): Promise<void> => {
    await store.close();
    await remove();
  };
  return { ...store, close };
}

/** Opens an empty store on a server, which keeps its rows until it is stopped. */
export async function openTemporaryChromaStore(
  server: Pick<ChromaServer, 'url'>,
  options: Partial<ChromaStoreOptions> = {},
): Promise<TemporaryStore> {
  const store = await openChromaStoreAt({ address: toAddress(server) }, options);
  return { store, remove: () => store.close() };
}
