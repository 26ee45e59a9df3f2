import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { TypedMemoryStore } from '../typed-memory-store.ts';
import type { Vault } from './vault.ts';

/** What an exchange of keys came to. */
export interface Rotation {
  /** Items sealed with the new key now. */
  readonly sealed: number;
  /** Items that were so before. */
  readonly current: number;
  /** Items that neither key opens, or that were changed meanwhile; they stay as they are. */
  readonly left: readonly string[];
}

/** Seals every vault item of a user with the present key; run again after an interruption, it goes on. */
export async function rotateVault(
  userId: string,
  { store, vault }: { readonly store: TypedMemoryStore; readonly vault: Vault },
): Promise<Rotation> {
  if (!store.keepsSealed) throw new ContextloomError('invalid', `the ${store.backend} has no vault of ours`);
  const [left, counts] = [[] as string[], { sealed: 0, current: 0 }];
  for (const item of await store.listSealed(userId)) {
    const { id, sealed = '' } = item;
    if (vault.isCurrent(sealed)) {
      counts.current += 1;
      continue;
    }
    try {
      const place = { userId, id };
      await store.replaceSealed(userId, item, vault.seal(vault.open(sealed, place), place));
      counts.sealed += 1;
    } catch (error) {
      if (!isContextloomError(error) || !['forbidden', 'precondition_failed', 'not_found'].includes(error.code))
        throw error;
      left.push(id);
    }
  }
  return { ...counts, left };
}
