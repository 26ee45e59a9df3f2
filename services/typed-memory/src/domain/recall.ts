import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { type MemoryType, memoryTypes } from '@contextloom/contracts/typed-memory';
import type { FoundMemory, StoredMemory } from './memory.ts';
import { putPresentFirst } from './present-first.ts';
import type { SearchCache } from './search-cache.ts';
import type { TypedMemoryStore } from './typed-memory-store.ts';
import { createLabelTest } from './vault/names-label.ts';
import { noKey, type Vault, type VaultAccess } from './vault/vault.ts';

/** A memory as it is shown; `isRevealed` tells of a vault item whether `content` is the secret or its label. */
export interface RecalledMemory extends FoundMemory {
  readonly isRevealed?: boolean;
  readonly label?: string;
}

/** What to recall. */
export interface RecallRequest {
  readonly query: string;
  /** All types when absent. */
  readonly types?: readonly MemoryType[] | undefined;
  readonly limit: number;
  /** What is less relevant is cut; nothing is when absent. */
  readonly minScore?: number | undefined;
  /** Whether vault items are shown in clear; their labels when not. */
  readonly isRevealing: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What recalling works with. */
export interface RecallDeps {
  readonly store: TypedMemoryStore;
  readonly cache: SearchCache;
  readonly vault: VaultAccess;
}

/** How many more are searched, so that what is so now is found before what was so earlier. */
const READ_ALONG = 10;
const ID = /^mem-[\w-]{8,64}$/u;

function conceal({ sealed, ...shown }: FoundMemory): RecalledMemory {
  return shown.type === 'knowledge_vault' ? { ...shown, isRevealed: false } : shown;
}

/**
 * Opens the items that the query asks for; other hits stay sealed, whatever their score. An item that no key opens hides no
 * other; where none can be opened, the key is wrong.
 */
function revealAsked(
  userId: string,
  found: readonly FoundMemory[],
  vault: Vault | undefined,
  isAsked: (label: string) => boolean,
): readonly RecalledMemory[] {
  const failures: ContextloomError[] = [];
  const reveal = (memory: FoundMemory): RecalledMemory => {
    const { sealed, content: label, id } = memory;
    if (sealed === undefined || !isAsked(label)) return conceal(memory);
    try {
      if (vault === undefined) throw noKey();
      return { ...conceal(memory), content: vault.open(sealed, { userId, id }), label, isRevealed: true };
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      failures.push(error);
      return conceal(memory);
    }
  };
  const shown = found.map(reveal);
  const [failure] = failures;
  if (failure !== undefined && !shown.some(({ isRevealed }) => isRevealed === true)) throw failure;
  return shown;
}

/** A query that is an id asks for that memory. */
async function findById(userId: string, { query, types, signal }: RecallRequest, store: TypedMemoryStore) {
  const id = query.trim();
  const memory = ID.test(id) ? await store.get(userId, id, signal) : undefined;
  return memory !== undefined && (types ?? memoryTypes).includes(memory.type)
    ? { ...memory, score: 1, relevance: 1 }
    : undefined;
}

/** Finds memories, best first. */
export async function recall(
  userId: string,
  request: RecallRequest,
  { store, cache, vault }: RecallDeps,
): Promise<readonly RecalledMemory[]> {
  const isVaultAsked =
    request.isRevealing && store.keepsSealed && (request.types?.includes('knowledge_vault') ?? false);
  const { query, limit, types = memoryTypes, minScore, signal } = request;
  const search = async (): Promise<readonly FoundMemory[]> => {
    const wide = await cache.search(userId, { query, types, minScore, limit: limit + READ_ALONG }, signal);
    return putPresentFirst(wide).slice(0, limit);
  };
  const named = await findById(userId, request, store);
  const found = named === undefined ? await search() : [named];
  if (!isVaultAsked) return found.map(conceal);
  // A caller that gives the id of an item asks for it.
  const isNamed = named === undefined ? createLabelTest(query) : () => true;
  return revealAsked(userId, found, await vault.find(), isNamed);
}

/**
 * Reads one memory as a whole, a vault item as its label.
 * @throws ContextloomError `not_found`
 */
export async function readMemory(
  userId: string,
  id: string,
  store: TypedMemoryStore,
  signal?: AbortSignal,
): Promise<StoredMemory> {
  const memory = await store.get(userId, id, signal);
  if (memory !== undefined) {
    const { sealed, ...shown } = memory;
    return shown;
  }
  throw new ContextloomError('not_found', `memory_id ${id} names no memory of this user`, { field: 'memory_id' });
}
