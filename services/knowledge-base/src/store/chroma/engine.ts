import { hostname } from 'node:os';
import process from 'node:process';
import { ContextloomError, loadOptional } from '@contextloom/contracts';
import { type SettingValues, setting } from '@contextloom/runtime';
import { withDeadline } from '@contextloom/runtime/scheduling';
import { z } from 'zod';
import { INDEX_VERSION } from '../../domain/search/tuning.ts';
import type { StoreEngine } from '../engine.ts';
import { hasSameVectors, isOfAnotherVersion, toFingerprintText, toMismatchError } from '../fingerprint.ts';
import { localSettings } from '../local-settings.ts';
import { type ChromaAddress, toServerName } from './connection/address.ts';
import { createRecoveringStore } from './connection/recovering-store.ts';

const CHROMA_ADDRESS = 'must be an http or https address without user and path, such as http://127.0.0.1:8001';
const isOrigin = (address: string): boolean => {
  if (!URL.canParse(address)) return false; // zod runs this even where the check before failed.
  const { username, password, pathname, search } = new URL(address);
  return `${username}${password}${search}` === '' && pathname === '/';
};

const settings = {
  ...localSettings,
  chromaUrl: setting({
    env: ['CHROMA_URL'],
    schema: z.url({ protocol: /^https?$/, error: CHROMA_ADDRESS }).refine(isOrigin, CHROMA_ADDRESS),
    description: 'The Chroma server that keeps the documents, instead of a file in KB_DATA_DIR',
  }),
  chromaApiKey: setting({
    env: ['CHROMA_API_KEY'],
    schema: z.string(),
    secret: true,
    description: 'The key for Chroma Cloud, which is used when CHROMA_URL is not given, or for a server that wants one',
  }),
  chromaTenant: setting({ env: ['CHROMA_TENANT'], schema: z.string(), description: "Chroma's tenant" }),
  chromaDatabase: setting({ env: ['CHROMA_DATABASE'], schema: z.string(), description: "Chroma's database" }),
  chromaCollection: setting({
    env: ['CHROMA_COLLECTION'],
    schema: z
      .string()
      .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,198}[a-zA-Z0-9]$/, 'must be 3 to 200 of a-z, A-Z, 0-9, ., _ and -'),
    default: 'contextloom',
    description: "The name of Chroma's collection",
  }),
};
type Place = SettingValues<typeof settings>;

/** How long the server may take to name its embedder, in milliseconds; the store opens without it too. */
const EMBEDDER_WAIT_MS = 2_000;
/** Rows of an earlier version are written again, and an index is made, while the store is opened: that may take long. */
const OPEN_MS = 6 * 3_600_000;

function toAddress(place: Place): ChromaAddress {
  const { chromaUrl: url, chromaApiKey: apiKey, chromaTenant: tenant, chromaDatabase: database } = place;
  return { url, apiKey, tenant, database, collection: place.chromaCollection };
}

const describe = ({ chromaUrl }: Place): string => toServerName({ url: chromaUrl });

const client = { needs: 'CHROMA_URL needs', packages: ['chromadb@3.5.0'] };

/** Documents on a Chroma server, connected at the first call and again after a loss; Chroma Cloud needs its key alone. */
export const chromaEngine: StoreEngine<typeof settings> = {
  name: 'chroma',
  settings,
  needs: 'CHROMA_URL must be the address of a Chroma server, or CHROMA_API_KEY a key of Chroma Cloud',
  isChosen: ({ chromaUrl, chromaApiKey }) => chromaUrl !== undefined || chromaApiKey !== undefined,
  describe,
  open: async (place, options) => {
    // Loading the client takes a tenth of a second: only its users pay for it.
    const { openChromaStore } = await loadOptional(client, () => import('./store.ts'));
    const { createSharedWriter } = await loadOptional(client, () => import('./shared-writer.ts'));
    const address = toAddress(place);
    const { clock, newId, log, embedder, onMismatch, isPatient = false } = options;
    const fingerprint = toFingerprintText({ embedder, indexVersion: INDEX_VERSION });
    const holder = `the process ${process.pid} on ${hostname()}`;
    const writer = createSharedWriter({
      address,
      folder: place.dataDir,
      holder,
      fingerprint,
      newId,
      log,
      mayRelay: onMismatch !== 'rebuild',
      toMismatch: (found) => toMismatchError(describe(place), found, fingerprint),
    });
    let progress: string | undefined;
    const onProgress = (text: string): void => {
      progress = text;
    };
    const index = { folder: place.dataDir, cacheBytes: place.cacheMb * 2 ** 20 };
    const own = { ...options, address, place: index, process: writer.process, clock, onProgress };
    const open = () => writer.open(() => openChromaStore(own));
    const store = createRecoveringStore({
      kind: 'chroma',
      name: describe(place),
      open,
      log,
      openMs: OPEN_MS,
      readProgress: () => progress,
      ...(isPatient && { openWaitMs: OPEN_MS }),
    });
    writer.attach(store);
    const close = async (): Promise<void> => {
      await writer.hush();
      await store.close();
      await writer.process.close();
    };
    return { ...store, close };
  },
  inspect: async (place, embedder) => {
    const { inspect } = await loadOptional(client, () => import('./rows/inspect.ts'));
    const { fingerprint, waiting } = await inspect(toAddress(place));
    const own = toFingerprintText({ embedder, indexVersion: INDEX_VERSION });
    if (fingerprint === undefined || hasSameVectors(fingerprint, own)) return { isOwn: true, waiting };
    if (!isOfAnotherVersion(fingerprint, own)) throw toMismatchError(describe(place), fingerprint, own);
    return { isOwn: false, waiting };
  },
  readEmbedder: async (place) => {
    const { readStoredEmbedder } = await loadOptional(client, () => import('./rows/inspect.ts'));
    const toLate = () => new ContextloomError('timeout', 'Chroma did not name the embedder of the store in time');
    return withDeadline(readStoredEmbedder(toAddress(place)), EMBEDDER_WAIT_MS, toLate);
  },
};
