import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import { createKeyedQueue, settled } from '@contextloom/runtime/scheduling';
import { INDEX_VERSION } from '../../domain/search/tuning.ts';
import type { Derive, DocumentStore, EmbedderIdentity } from '../../domain/store.ts';
import {
  hasSameVectors,
  isOfAnotherVersion,
  type OnMismatch,
  toFingerprintText,
  toMismatchError,
} from '../fingerprint.ts';
import { type IndexUpgradeOptions, startIndexUpgrade } from '../index-upgrade.ts';
import type { ChromaAddress } from './connection/address.ts';
import { type ChromaServer, connectToChroma } from './connection/client.ts';
import { CATALOG_LEASE_MS, CLOSING_LEASE_MS, createSession, toSettlingMs } from './connection/session.ts';
import { createFind } from './reading/find.ts';
import { createReader } from './reading/reader.ts';
import { readIndexState } from './recovery/index-swap.ts';
import { createLostStore, findLoss } from './recovery/lost-index.ts';
import { createRebuild } from './recovery/rebuild.ts';
import { createUpgrade } from './recovery/upgrade.ts';
import { type Catalog, type Generation, openCatalog } from './rows/catalog.ts';
import type { Rows } from './rows/collection.ts';
import { createScan } from './rows/transfer.ts';
import { createEmbedWaiting } from './writing/embed-waiting.ts';
import { createForget } from './writing/forget.ts';
import { sweep } from './writing/publish.ts';
import type { WriteIntents } from './writing/write-intents.ts';
import { createWriter } from './writing/writer.ts';

/** How a store on a Chroma server is opened. */
export interface ChromaStoreOptions {
  readonly address: ChromaAddress;
  readonly embedder: EmbedderIdentity;
  /** A store that has lost its index can be rebuilt in every case. */
  readonly onMismatch?: OnMismatch;
  /** Makes the index again after an update of the program; without it an earlier one stays in use. */
  readonly derive?: Derive;
  readonly indexVersion?: number;
  /** Up to so many rows of a selection are fetched and ranked in this process; of more, the engine's index gives the nearest. */
  readonly maxRowsExact?: number;
  /** How long the end of a rebuild may show no sign of life before others take it back, in milliseconds. */
  readonly closingLeaseMs?: number;
  /** For how long a writer relies on what it read in the catalog, in milliseconds; the same for all processes of a store. */
  readonly catalogLeaseMs?: number;
  /** How long the making of an index after an update may show no sign of life before others go on with it, in milliseconds. */
  readonly upgradeLeaseMs?: number;
  /** The writes of this process, over all stores that it has opened here one after the other. */
  readonly intents: WriteIntents;
  readonly newId: () => string;
  readonly log: IndexUpgradeOptions['log'];
}

const UPGRADE_LEASE_MS = 10_000;
/** How long the end of an upgrade is waited for when the store is closed, in milliseconds. */
const CLOSE_WAIT_MS = 1_000;

/** The server's own numbering begins with the API that the client speaks. */
const OLDEST_MAJOR = 1;

async function checkVersion(server: ChromaServer): Promise<void> {
  const version = await server.version().catch((error: unknown) => {
    if (error instanceof ContextloomError && error.code !== 'not_found') throw error;
    return 'of before 1.0'; // An old server does not know the question.
  });
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return;
  throw new ContextloomError(
    'unavailable',
    `${server.name} is version ${version}: version ${OLDEST_MAJOR}.0 or newer is needed`,
  );
}

/** The generation in use; that of an empty store is made again for whichever embedder comes next. */
async function openGeneration(catalog: Catalog, fingerprint: string, settlingMs: number): Promise<Generation> {
  const state = await catalog.read();
  const generation = await catalog.open(state.current);
  if (generation.fingerprint === fingerprint || (await generation.rows.count()) > 0) return generation;
  const own = await catalog.make();
  await catalog.write({ ...state, current: own.name });
  await sleep(settlingMs);
  const isStillEmpty = (await generation.rows.count()) === 0;
  if (!isStillEmpty) await catalog.write(state); // Somebody was writing there just then.
  await catalog.drop((isStillEmpty ? generation : own).name);
  if (isStillEmpty && generation.indexSwap.next !== '') await catalog.drop(generation.indexSwap.next);
  return isStillEmpty ? own : generation;
}

async function openOn(server: ChromaServer, options: ChromaStoreOptions): Promise<DocumentStore> {
  const {
    address,
    embedder,
    onMismatch = 'refuse',
    indexVersion = INDEX_VERSION,
    intents,
    newId,
    log,
    maxRowsExact,
    closingLeaseMs = CLOSING_LEASE_MS,
    catalogLeaseMs = CATALOG_LEASE_MS,
    upgradeLeaseMs = UPGRADE_LEASE_MS,
    derive,
  } = options;
  const store = `"${address.collection}" of ${server.name}`;
  const fingerprint = toFingerprintText({ embedder, indexVersion });
  await checkVersion(server);
  const catalog = await openCatalog({ server, name: address.collection, fingerprint, newId });
  const settlingMs = toSettlingMs(catalogLeaseMs);
  const generation = await openGeneration(catalog, fingerprint, settlingMs);
  const parts = { catalog, fingerprint, dimensions: embedder.dimensions, settlingMs };
  const rebuild = createRebuild(parts);
  const lost = await findLoss(generation.rows, store);
  if (lost !== undefined) return createLostStore(lost, { rebuild, close: async () => server.close() });
  const found = generation.fingerprint;
  const earlier = onMismatch === 'upgrade' && isOfAnotherVersion(found, fingerprint) ? [found] : [];
  if (found !== fingerprint && onMismatch !== 'rebuild' && earlier.length === 0)
    throw toMismatchError(store, found, fingerprint);
  const session = createSession({ catalog, generation, fingerprint, earlier, store, closingLeaseMs, catalogLeaseMs });
  const numbers = address.url === undefined ? 'ignore' : 'narrow';
  const probe = async (rows: Rows): Promise<void> => {
    const error = await findLoss(rows, store);
    if (error !== undefined) throw error;
  };
  // What earlier programs left half done hides nothing from readers: nobody has to wait for it.
  const swept = sweep(generation.rows, intents).catch((cause: unknown) =>
    log.warn({ cause }, `${store}: what earlier writes left could not be cleaned up`),
  );
  const find = createFind({ session, numbers, probe, ...(maxRowsExact !== undefined && { maxRowsExact }) });
  const upgrade =
    derive !== undefined && earlier.length > 0
      ? startIndexUpgrade({
          log,
          run: createUpgrade({
            catalog,
            fingerprint,
            derive,
            leaseMs: upgradeLeaseMs,
            rebuild: createRebuild({ ...parts, keepsVectors: hasSameVectors(found, fingerprint) }),
          }),
        })
      : undefined;
  const queue = createKeyedQueue();
  const isOwn = (): boolean => hasSameVectors(session.fingerprint(), fingerprint);
  return {
    kind: 'chroma',
    check: () => session.run(probe),
    ...createWriter({ session, intents, queue, dimensions: embedder.dimensions }),
    embedWaiting: createEmbedWaiting({ session, queue, isOwn }),
    ...createReader({ session, numbers }),
    // Vectors of two embedders are never compared: until the index is made again, words alone find documents then.
    find: (query, ...rest) => find(isOwn() ? query : { ...query, vector: undefined }, ...rest),
    scan: createScan(session),
    forget: createForget({ session, catalog, store }),
    rebuild,
    indexState: () => readIndexState(catalog, fingerprint),
    upgradeProgress: () => upgrade?.progress(),
    flush: () => session.run(probe),
    close: async () => {
      upgrade?.stop();
      server.close();
      await Promise.all([swept, upgrade && settled(upgrade.ended, CLOSE_WAIT_MS)]);
    },
  };
}

/**
 * Opens (or makes) the store on a Chroma server; other processes may have it open too.
 * @throws ContextloomError `unavailable` when the server cannot be used, is too old, or another embedder filled the store
 */
export async function openChromaStore(options: ChromaStoreOptions): Promise<DocumentStore> {
  const server = connectToChroma(options.address);
  try {
    return await openOn(server, options);
  } catch (error) {
    server.close();
    throw error;
  }
}
