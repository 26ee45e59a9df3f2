import type { ContextloomError } from '@contextloom/contracts';
import type { DocumentStore } from '../../../domain/store.ts';
import { toLostIndexError } from '../../fingerprint.ts';
import { isServerFailure } from '../connection/errors.ts';
import type { Rows } from '../rows/collection.ts';

/**
 * Finds out whether the engine has lost its vector index, which it does not make again: it then finds next to nothing, and
 * says that all is well. Counting and listing do not show it either, since they ask another part of the engine; vectors do.
 */
export async function findLoss(rows: Rows, store: string): Promise<ContextloomError | undefined> {
  try {
    await rows.get({ limit: 1 }, ['embeddings']);
    return undefined;
  } catch (cause) {
    if (!isServerFailure(cause)) throw cause;
    return toLostIndexError(store, cause);
  }
}

/** A store that has lost its vector index: it can be rebuilt from its documents, and refuses everything else. */
export function createLostStore(
  lost: ContextloomError,
  { rebuild, close }: Pick<DocumentStore, 'rebuild' | 'close'>,
): DocumentStore {
  const refuse = (): Promise<never> => Promise.reject(lost);
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
    scan: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    restore: refuse,
    embedWaiting: refuse,
    forget: refuse,
    rebuild,
    indexState: async () => 'useless',
    upgradeProgress: () => undefined,
    flush: refuse,
    close,
  };
}
