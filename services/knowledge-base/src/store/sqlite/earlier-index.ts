import { ContextloomError } from '@contextloom/contracts';
import { settled } from '@contextloom/retrieval/scheduling';
import type { HybridIndex } from '@contextloom/sqlite';
import type { DocumentStore } from '../../domain/store.ts';
import type { IndexUpgrade } from '../index-upgrade.ts';

/** How long a search waits for an index that is not whole, in milliseconds. */
const WAIT_MS = 20_000;

/** What is known of an index that an earlier version made. */
export interface EarlierIndexOptions {
  readonly index: HybridIndex;
  readonly find: DocumentStore['find'];
  /** Whether the embedder of that version was this one: vectors of two are never compared. */
  readonly hasSameVectors: boolean;
  /** Whether it has all documents: the schema of this version may have dropped it. */
  readonly isWhole: boolean;
  readonly upgrade: IndexUpgrade | undefined;
  readonly waitMs?: number;
}

/**
 * Builds the search of a store until its index is made again: by the earlier one, by words alone where its vectors are of no
 * use. Where there is no whole one, it waits for the new one.
 * @throws ContextloomError by each search: `unavailable` when that takes too long
 */
export function createFindMeanwhile({
  index,
  find,
  hasSameVectors,
  isWhole,
  upgrade,
  waitMs = WAIT_MS,
}: EarlierIndexOptions): DocumentStore['find'] {
  return async (query, selection, limit) => {
    if (!isWhole && !index.isOwn()) await settled(upgrade?.ended ?? Promise.resolve(), waitMs);
    if (index.isOwn()) return find(query, selection, limit);
    if (isWhole) return find(hasSameVectors ? query : { ...query, vector: undefined }, selection, limit);
    const { documents = 0, done = 0 } = upgrade?.progress() ?? {};
    const message = `the index is being made again after an update (${done} of ${documents} documents); try again in a moment`;
    throw new ContextloomError('unavailable', message);
  };
}
