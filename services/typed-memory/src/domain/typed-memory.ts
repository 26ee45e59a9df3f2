import { type MemoryType, memoryTypes } from '@contextloom/contracts/typed-memory';
import type { Chat } from './chat.ts';
import { type Correction, correctMemory, deleteMemory, listMemories } from './correct.ts';
import type { StoredMemory } from './memory.ts';
import { withoutOutdated } from './present-first.ts';
import { createProfiles, type Profile, type ProfileRequest, type ProfileWriter } from './profile.ts';
import { type RecalledMemory, type RecallRequest, readMemory, recall } from './recall.ts';
import { type RememberDeps, type Remembered, type RememberRequest, remember } from './remember.ts';
import type { SearchCache } from './search-cache.ts';
import type { ListedMemories, MemoryListing, Removal } from './typed-memory-store.ts';

/** What the service keeps a record of: never a word of what is remembered. */
export type OperationLog = (fields: object, message: string) => void;

/** The service behind the tools. Every method rejects with `ContextloomError` for what the caller can mend. */
export interface TypedMemory {
  readonly remember: (userId: string, request: RememberRequest) => Promise<Remembered>;
  readonly recall: (userId: string, request: RecallRequest) => Promise<readonly RecalledMemory[]>;
  /** Where nothing fits: how near the best memory is, in [0,1]; undefined where the backend does not tell. */
  readonly nearest: (userId: string, request: RecallRequest) => Promise<number | undefined>;
  /** The newest core facts, which are few and always read. */
  readonly facts: (userId: string, signal?: AbortSignal) => Promise<readonly StoredMemory[]>;
  readonly read: (userId: string, id: string, signal?: AbortSignal) => Promise<StoredMemory>;
  readonly list: (userId: string, listing: MemoryListing) => Promise<ListedMemories>;
  readonly correct: (userId: string, correction: Correction) => Promise<StoredMemory>;
  readonly remove: (userId: string, removal: Removal) => Promise<void>;
  readonly profile: (userId: string, request: ProfileRequest) => Promise<Profile>;
  readonly count: (userId: string, signal?: AbortSignal) => Promise<Readonly<Partial<Record<MemoryType, number>>>>;
  readonly check: (signal?: AbortSignal) => Promise<void>;
  readonly chat?: Chat | undefined;
  /** Whether there is what answers messages, as far as that is known without asking. */
  readonly canChat: () => boolean;
}

/** What the service is built from. */
export interface TypedMemoryOptions extends RememberDeps {
  readonly cache: SearchCache;
  readonly writeProfile?: ProfileWriter | undefined;
  readonly log: OperationLog;
}

const CORE_FACTS = 20;

/** Builds the service over a store. */
export function createTypedMemory(options: TypedMemoryOptions): Omit<TypedMemory, 'chat' | 'canChat'> {
  const { store, cache, vault, clock, log } = options;
  const profiles = createProfiles({ store, zone: options.zone, write: options.writeProfile });

  /** Runs one operation and records who did what to how much, and how long it took. */
  async function record<T>(operation: string, userId: string, work: () => Promise<T>, describe: (result: T) => object) {
    const start = clock().getTime();
    const result = await work();
    log({ operation, user_id: userId, ...describe(result), ms: clock().getTime() - start }, operation);
    return result;
  }

  return {
    remember: (userId, request) =>
      record(
        'add',
        userId,
        () => remember(userId, request, options).finally(() => cache.forget(userId)),
        ({ id, kind, type }) => ({ memory_id: id, outcome: kind, memory_type: type }),
      ),
    recall: (userId, request) =>
      record(
        'search',
        userId,
        () => recall(userId, request, { store, cache, vault }),
        (found) => ({
          found: found.length,
          revealed: found.filter(({ isRevealed }) => isRevealed === true).map(({ id }) => id),
        }),
      ),
    nearest: async (userId, { query, types = memoryTypes, minScore }) =>
      store.nearest?.(userId, { query, types, minScore }),
    facts: async (userId, signal) => {
      const { core } = await store.overview(userId, ['core'], CORE_FACTS, signal);
      return withoutOutdated(core?.newest ?? []);
    },
    read: (userId, id, signal) =>
      record(
        'read',
        userId,
        () => readMemory(userId, id, store, signal),
        () => ({ memory_id: id }),
      ),
    list: (userId, listing) => listMemories(userId, listing, options),
    correct: (userId, correction) =>
      record(
        'update',
        userId,
        () => correctMemory(userId, correction, options).finally(() => cache.forget(userId)),
        ({ id, type }) => ({ memory_id: id, memory_type: type }),
      ),
    remove: (userId, removal) =>
      record(
        'delete',
        userId,
        () => deleteMemory(userId, removal, options).finally(() => cache.forget(userId)),
        () => ({ memory_id: removal.id, erased: removal.isErased }),
      ),
    profile: (userId, request) =>
      record(
        'profile',
        userId,
        () => profiles(userId, request),
        ({ total }) => ({ memories: total }),
      ),
    count: async (userId, signal) => {
      const overview = await store.overview(userId, memoryTypes, 0, signal);
      return Object.fromEntries(Object.entries(overview).map(([type, { total }]) => [type, total]));
    },
    check: (signal) => store.check(undefined, signal),
  };
}
