import type { ContextloomError } from '@contextloom/contracts';
import { createKeyedQueue, settled } from '@contextloom/runtime/scheduling';
import { INDEX_VERSION } from '../../domain/search/tuning.ts';
import type { Derive, DocumentStore, EmbedderIdentity } from '../../domain/store.ts';
import { type OnMismatch, toFingerprintText } from '../fingerprint.ts';
import { type IndexUpgradeOptions, startIndexUpgrade } from '../index-upgrade.ts';
import type { ChromaAddress } from './connection/address.ts';
import { type ChromaServer, connectToChroma } from './connection/client.ts';
import { createGate } from './connection/gate.ts';
import { openIndexedRows } from './index/indexed-rows.ts';
import { type IndexPlace, type LocalIndex, openLocalIndex } from './index/local-index.ts';
import { createCatalog } from './rows/catalog.ts';
import { checkVersion, findLoss } from './rows/inspect.ts';
import { createEmbedWaiting } from './writing/embed-waiting.ts';
import { createForget } from './writing/forget.ts';
import { createLease, type Lease, type LeaseOptions } from './writing/lease.ts';
import { createWriter, type WriterOptions } from './writing/writer.ts';

/** A store whose vectors are lost or another embedder's: it can be rebuilt from its documents, and refuses everything else. */
function createRefusingStore(
  reason: ContextloomError,
  rest: Pick<DocumentStore, 'rebuild' | 'indexState' | 'close'>,
): DocumentStore {
  const refuse = (): Promise<never> => Promise.reject(reason);
  return {
    kind: 'chroma',
    check: refuse,
    put: refuse,
    replace: refuse,
    remove: refuse,
    read: refuse,
    find: refuse,
    list: refuse,
    stats: refuse,
    owners: refuse,
    scan: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    restore: refuse,
    embedWaiting: refuse,
    forget: refuse,
    upgradeProgress: () => undefined,
    flush: refuse,
    ...rest,
  };
}

/** What this process has once for all openings of a store. */
export interface WriterProcess extends Pick<WriterOptions, 'gate' | 'queue'> {
  readonly lease: Lease;
  /** Gives the lease back. */
  close(): Promise<void>;
}

/** How long giving the lease back may take, in milliseconds; it ends by itself. */
const RELEASE_MS = 1_000;

/** Begins the writing of a process, which outlives a lost connection. */
export function openWriterProcess({
  address,
  ...rest
}: Omit<LeaseOptions, 'server' | 'name'> & Pick<ChromaStoreOptions, 'address'>): WriterProcess {
  const server = connectToChroma(address);
  const lease = createLease({ ...rest, server, name: address.collection });
  const close = async (): Promise<void> => {
    await settled(lease.release(), RELEASE_MS);
    server.close();
  };
  return { lease, gate: createGate(), queue: createKeyedQueue(), close };
}

/** How a store on a Chroma server is opened. */
export interface ChromaStoreOptions {
  readonly address: ChromaAddress;
  readonly place: IndexPlace;
  readonly process: WriterProcess;
  readonly embedder: EmbedderIdentity;
  /** A store that has lost its vectors can be rebuilt in every case. */
  readonly onMismatch?: OnMismatch | undefined;
  /** Makes the index again after an update of the program; without it an earlier one stays in use. */
  readonly derive?: Derive | undefined;
  readonly indexVersion?: number;
  /** How often rows of other clients are looked for, in milliseconds. */
  readonly watchMs?: number;
  readonly earlierWaitMs?: number;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: IndexUpgradeOptions['log'];
  /** Gets how far the opening is, where it takes long. */
  readonly onProgress?: (progress: string) => void;
}

const WATCH_MS = 2_000;
/** How long the end of an upgrade is waited for when the store is closed, in milliseconds. */
const CLOSE_WAIT_MS = 1_000;

/** Looks for rows of other clients until it is stopped. */
function startWatch(look: () => Promise<void>, everyMs: number): () => void {
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(() => undefined) // Calls meet the same failure, and report it.
      .finally(() => {
        isLooking = false;
      });
  }, everyMs).unref();
  return () => clearInterval(timer);
}

async function openOn(server: ChromaServer, options: ChromaStoreOptions): Promise<DocumentStore> {
  const { address, place, process, embedder, onMismatch = 'refuse', derive, log } = options;
  const { indexVersion = INDEX_VERSION, watchMs = WATCH_MS } = options;
  const { lease, gate, queue } = process;
  const { dimensions } = embedder;
  const store = `"${address.collection}" of ${server.name}`;
  const fingerprint = toFingerprintText({ embedder, indexVersion });
  await checkVersion(server);
  const term = await lease.take();
  const hold = (): Promise<void> => lease.hold(term);
  const catalog = createCatalog(server, address.collection);
  const openIndex = (): Promise<LocalIndex> =>
    openLocalIndex(address, place, {
      embedder,
      indexVersion,
      derive,
      log,
      onMismatch: onMismatch === 'upgrade' ? 'upgrade' : 'refuse',
    });
  const indexed = await openIndexedRows({
    ...options,
    catalog,
    openIndex,
    gate,
    hold,
    fingerprint,
    dimensions,
    onMismatch,
    store,
  });
  const { local, reason, rebuild, indexState, count, look, hasOwnVectors } = indexed;
  const index = local.store;
  if (reason !== undefined) {
    const close = async (): Promise<void> => {
      server.close();
      await index.close();
    };
    return createRefusingStore(reason, { rebuild, indexState, close });
  }
  const writing = { rows: () => indexed.documents().rows, index, gate, queue, dimensions, hold, onCount: count };
  const probe = async (): Promise<void> => {
    await hold();
    const lost = await findLoss(indexed.documents(), store);
    if (lost !== undefined) throw lost;
  };
  const asWriter = async <T>(work: () => Promise<T>): Promise<T> => {
    await hold();
    return work();
  };
  const embedWaiting = createEmbedWaiting(writing);
  const { read, ...writer } = createWriter(writing);
  const upgrade =
    derive !== undefined && !hasOwnVectors()
      ? startIndexUpgrade({ log, run: async (how) => (await rebuild(derive, { ...how, resume: true })).kind })
      : undefined;
  const endWatch = startWatch(look, watchMs);
  return {
    kind: 'chroma',
    check: probe,
    ...writer,
    // Vectors of another embedder are being replaced: those that wait are made with them.
    embedWaiting: async (embed) => (hasOwnVectors() ? embedWaiting(embed) : 0),
    read: (...args) => asWriter(() => read(...args)),
    find: (...args) => asWriter(() => index.find(...args)),
    list: (...args) => asWriter(() => index.list(...args)),
    stats: (...args) => asWriter(() => index.stats(...args)),
    owners: () => asWriter(() => index.owners()),
    scan: async function* scan(batch) {
      await hold();
      yield* index.scan(batch);
    },
    forget: createForget({ ...writing, local, catalog, store }),
    rebuild,
    indexState,
    upgradeProgress: () => upgrade?.progress() ?? index.upgradeProgress(),
    flush: async () => {
      await probe();
      await index.flush();
    },
    close: async () => {
      endWatch();
      upgrade?.stop();
      server.close();
      if (upgrade !== undefined) await settled(upgrade.ended, CLOSE_WAIT_MS);
      await index.close();
    },
  };
}

/**
 * Opens (or makes) the store on a Chroma server, which one process at a time has open.
 * @throws ContextloomError `unavailable` when the server cannot be used, is too old, another process writes to the store, or
 *   another embedder filled it
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
