import { hasEnded } from '../model/ends.ts';
import type { IndexedEntry, RenewableIndex } from './entry-index.ts';

/** An index without the entries that have ended: nothing shows them from that moment on, whether they were erased by then or not. */
export function withoutEnded(index: RenewableIndex, clock: () => Date): RenewableIndex {
  const isAlive = (entry: IndexedEntry): boolean => !hasEnded(entry, clock());
  const aliveAt = (): number => clock().getTime();
  return {
    ...index,
    get: (id) => [index.get(id)].find((entry) => entry !== undefined && isAlive(entry)),
    ofFile: (path) => index.ofFile(path).filter(isAlive),
    list: (selection, page) => index.list({ ...selection, aliveAt: aliveAt() }, page),
    search: (query) => index.search({ ...query, aliveAt: aliveAt() }),
  };
}
