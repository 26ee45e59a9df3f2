import { ContextloomError } from '@contextloom/contracts';
import type { MemoryKind } from '../../domain/stores/memory-id.ts';
import type { StoredMemory } from '../../domain/stores/stored-memory.ts';
import type { MemoryStore, StorePage } from './memory-store.ts';

/** A store that could not be asked, and why. */
export interface NotAsked {
  readonly store: string;
  readonly reason: string;
}

/** A page over several stores. */
export interface ListedAcross {
  readonly memories: readonly (StoredMemory & { readonly kind: MemoryKind })[];
  readonly next?: string | undefined;
  readonly notAsked: readonly NotAsked[];
}

const SEPARATOR = '~';

/** Where a page begins: the store, and the cursor within it. @throws ContextloomError `invalid` */
function parseCursor(cursor: string | undefined, stores: readonly MemoryStore[]): { at: number; within?: string } {
  if (cursor === undefined) return { at: 0 };
  const [kind = '', ...rest] = cursor.split(SEPARATOR);
  const at = stores.findIndex((store) => store.kind === kind);
  const within = rest.join(SEPARATOR);
  if (at >= 0) return within === '' ? { at } : { at, within };
  throw new ContextloomError('invalid', 'cursor must be the next_cursor of the page before', { field: 'cursor' });
}

/** Lists stores one after the other, page by page; one that does not answer is passed over and named. */
export async function listAcross(stores: readonly MemoryStore[], { limit, cursor }: StorePage): Promise<ListedAcross> {
  const memories: (StoredMemory & { readonly kind: MemoryKind })[] = [];
  const notAsked: NotAsked[] = [];
  const begin = parseCursor(cursor, stores);
  let [at, within] = [begin.at, begin.within];
  for (let store = stores[at]; store !== undefined && memories.length < limit; store = stores[at]) {
    const { kind, service } = store;
    const answer = await store.list({ limit: limit - memories.length, cursor: within });
    if (answer.kind === 'ok') memories.push(...answer.value.memories.map((memory) => ({ ...memory, kind })));
    else notAsked.push({ store: service, reason: answer.reason });
    within = answer.kind === 'ok' ? answer.value.next : undefined;
    if (within === undefined) at += 1;
  }
  const next = stores[at];
  return {
    memories,
    notAsked: toUnique(notAsked),
    ...(next !== undefined && { next: `${next.kind}${SEPARATOR}${within ?? ''}` }),
  };
}

/** One store may keep several kinds: what is wrong with it is told once. */
export function toUnique(notAsked: readonly NotAsked[]): readonly NotAsked[] {
  return [...new Map(notAsked.map((one) => [`${one.store} ${one.reason}`, one])).values()];
}
