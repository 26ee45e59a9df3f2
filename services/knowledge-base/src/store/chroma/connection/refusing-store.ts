import type { ContextloomError } from '@contextloom/contracts';
import type { DocumentStore } from '../../../domain/store.ts';

/** A store whose vectors are lost or another embedder's: it can be rebuilt from its documents, and refuses everything else. */
export function createRefusingStore(
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
    scan: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    restore: refuse,
    embedWaiting: refuse,
    forget: refuse,
    upgradeProgress: () => undefined,
    flush: refuse,
    ...rest,
  };
}
