import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContextloomError } from '@contextloom/contracts';
import type { DocumentStore } from '../../domain/store.ts';
import { hasSameVectors } from '../fingerprint.ts';
import type { ChromaAddress } from './connection/address.ts';
import { connectToWriter, createRelay, type RelayOptions } from './connection/relay.ts';
import { removeOldSockets, toSocket } from './index/local-index.ts';
import { openWriterProcess, type WriterProcess } from './store.ts';
import { HeldElsewhereError } from './writing/lease.ts';

/** How a process shares a store with others over the same folder. */
export interface SharedWriterOptions extends Pick<RelayOptions, 'log'> {
  readonly address: ChromaAddress;
  readonly folder: string;
  /** What other processes learn about who writes. */
  readonly holder: string;
  /** What this process fills the store with. */
  readonly fingerprint: string;
  readonly newId: () => string;
  /** Whether this process may answer through the writer, where it is not the writer itself. */
  readonly mayRelay: boolean;
  /** The error of a writer with another embedder. */
  readonly toMismatch: (found: string) => ContextloomError;
}

/** A process that writes to a store, or answers through the one that does. */
export interface SharedWriter {
  readonly process: WriterProcess;
  /** Opens the store as its writer, or reaches the writer. */
  open(openOwn: () => Promise<DocumentStore>): Promise<DocumentStore>;
  /** What others are answered by, once this process is the writer. */
  attach(store: DocumentStore): void;
  /** Answers others no more. */
  hush(): Promise<void>;
}

const answersAt = async (socket: string): Promise<boolean> => {
  const through = await connectToWriter(socket);
  await through?.store.close();
  return through !== undefined;
};

/** How long a writer that has just begun may take until it answers, and how often it is tried, in milliseconds. */
const REACH_MS = 5_000;
const TRY_MS = 100;

async function untilReached(socket: string): ReturnType<typeof connectToWriter> {
  for (const until = performance.now() + REACH_MS; ; await sleep(TRY_MS)) {
    const through = await connectToWriter(socket);
    if (through !== undefined || performance.now() > until) return through;
  }
}

/** Begins to share a store; nothing is opened yet. */
export function createSharedWriter({ mayRelay, toMismatch, ...options }: SharedWriterOptions): SharedWriter {
  const { address, folder, holder, fingerprint, newId, log } = options;
  const socket = toSocket(address, folder, newId());
  const relay = createRelay({ path: socket, greeting: { holder, fingerprint }, log });
  /** Others of this folder alone: nobody else's processes can have put a socket there. */
  const isOwnFolder = (other: string): boolean => dirname(other) === dirname(socket);
  const reach = async (error: HeldElsewhereError): Promise<DocumentStore> => {
    if (!mayRelay || error.socket === undefined || !isOwnFolder(error.socket)) throw error;
    const through = await untilReached(error.socket);
    if (through === undefined) throw error;
    const found = through.greeting.fingerprint;
    if (hasSameVectors(found, fingerprint)) return through.store;
    await through.store.close();
    throw toMismatch(found);
  };
  return {
    process: openWriterProcess({
      address,
      holder,
      newId,
      socket,
      answersAt: async (other) => isOwnFolder(other) && answersAt(other),
    }),
    open: async (openOwn) => {
      try {
        const store = await openOwn();
        removeOldSockets(socket);
        relay.listen();
        return store;
      } catch (error) {
        if (error instanceof HeldElsewhereError) return reach(error);
        throw error;
      }
    },
    attach: relay.attach,
    hush: relay.close,
  };
}
