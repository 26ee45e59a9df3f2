import { join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/mcp-kit';
import { checkIntegrity } from '@contextloom/sqlite';
import type { DocumentStore, EmbedderIdentity } from './domain/store.ts';
import type { ChromaAddress } from './store/chroma/address.ts';
import { createWriteIntents } from './store/chroma/write-intents.ts';
import { createDamageWatch } from './store/damage-watch.ts';
import { openEmbeddedStore } from './store/embedded-store.ts';
import { toOperatorError } from './store/fingerprint.ts';
import { createRecoveringStore } from './store/recovering-store.ts';

/** How a store is opened, wherever it is. */
export interface OpenStoreOptions {
  readonly embedder: EmbedderIdentity;
  /** What to do with a store that another embedder filled. */
  readonly onMismatch?: 'refuse' | 'rebuild';
  readonly newId: () => string;
  readonly log: Log;
}

/** The settings that say where documents are kept. */
export interface StorePlace {
  readonly dataDir: string;
  /** Most mebibytes of its index that the embedded store keeps in memory. */
  readonly cacheMb: number;
  readonly chromaUrl: string | undefined;
  readonly chromaApiKey: string | undefined;
  readonly chromaTenant: string | undefined;
  readonly chromaDatabase: string | undefined;
  readonly chromaCollection: string;
}

/** The file of the embedded store in its folder. */
export const STORE_FILE = 'knowledge-base.sqlite';

/** The Chroma server that the settings name, if they name one: Chroma Cloud when there is a key and no address. */
export function toChromaAddress(place: StorePlace): ChromaAddress | undefined {
  const { chromaUrl: url, chromaApiKey: apiKey, chromaTenant: tenant, chromaDatabase: database } = place;
  if (url === undefined && apiKey === undefined) return undefined;
  return { url, apiKey, tenant, database, collection: place.chromaCollection };
}

/**
 * Opens the embedded store in its folder, which is made when missing.
 * @throws ContextloomError `unavailable` when the store cannot be used, naming its folder
 */
export async function openEmbedded(
  { dataDir, cacheMb }: Pick<StorePlace, 'dataDir' | 'cacheMb'>,
  { embedder, onMismatch }: OpenStoreOptions,
): Promise<DocumentStore> {
  const file = join(dataDir, STORE_FILE);
  try {
    const store = await openEmbeddedStore({
      file,
      embedder,
      cacheBytes: cacheMb * 2 ** 20,
      ...(onMismatch && { onMismatch }),
    });
    return createDamageWatch({ store, checkFile: () => checkIntegrity(file) });
  } catch (thrown) {
    const error = toOperatorError(thrown);
    if (!isContextloomError(error)) throw error;
    throw new ContextloomError(error.code, `${error.message} (KB_DATA_DIR is ${dataDir})`, { cause: error });
  }
}

/** Opens the store on a Chroma server, at the first call and again whenever the server was gone. */
export async function openChroma(address: ChromaAddress, options: OpenStoreOptions): Promise<DocumentStore> {
  // The client is loaded by those who use it: it costs every start a tenth of a second.
  const { openChromaStore } = await import('./store/chroma-store.ts');
  const intents = createWriteIntents(options.newId());
  return createRecoveringStore({
    kind: 'chroma',
    name: `Chroma at ${address.url ?? 'Chroma Cloud'}`,
    open: () => openChromaStore({ address, intents, ...options }),
    log: options.log,
  });
}

/** Opens the store that the settings name. */
export function openStore(place: StorePlace, options: OpenStoreOptions): Promise<DocumentStore> {
  const address = toChromaAddress(place);
  return address === undefined ? openEmbedded(place, options) : openChroma(address, options);
}
