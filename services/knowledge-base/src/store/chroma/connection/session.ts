import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import { toMismatchError } from '../../fingerprint.ts';
import type { Catalog, Generation } from '../rows/catalog.ts';
import type { Rows } from '../rows/collection.ts';
import { isGone } from './errors.ts';

/** How long one reading of the catalog lets writes be acknowledged, in milliseconds. */
export const CATALOG_LEASE_MS = 1_000;
/** After so long, in milliseconds, no write is acknowledged any more for what the catalog said before a change of it. */
export const toSettlingMs = (catalogLeaseMs: number): number => 1.25 * catalogLeaseMs;
/** A takeover without a sign of life for so long, in milliseconds, is rolled back: its maker is gone. */
export const CLOSING_LEASE_MS = 15_000;
const LOOK_MS = 100;
/** How often an index may be rebuilt in the middle of one call. */
const MAX_MOVES = 5;

/** Work on whichever generation is in use. */
export interface Session {
  /** Runs a reading. */
  run<T>(work: (rows: Rows) => Promise<T>): Promise<T>;
  /** Runs a write, which must be one that can be done twice, until it is in the generation in use. */
  write<T>(work: (rows: Rows) => Promise<T>): Promise<T>;
  /** The last known fingerprint of the generation in use. */
  fingerprint(): string;
}

/** What a session works with. */
export interface SessionOptions {
  readonly catalog: Catalog;
  readonly generation: Generation;
  /** What this program fills generations with, as text. */
  readonly fingerprint: string;
  /** Fingerprints of earlier versions, whose generations are used until their index is rebuilt. */
  readonly earlier?: readonly string[];
  /** What errors call the store. */
  readonly store: string;
  readonly closingLeaseMs: number;
  readonly catalogLeaseMs: number;
}

/**
 * Begins work on a store. A write is acknowledged only if the catalog, read at most a lease before, named its generation
 * as the one in use; a process that changes the catalog waits for longer than that before the last rows are taken over.
 */
export function createSession({
  catalog,
  generation: first,
  fingerprint,
  earlier = [],
  store,
  closingLeaseMs,
  catalogLeaseMs,
}: SessionOptions): Session {
  let generation = first;
  let confirmed = { name: '', at: Number.NEGATIVE_INFINITY };

  const moved = async (): Promise<void> => {
    generation = await catalog.open((await catalog.read()).current);
  };
  const current = (): Generation => {
    const found = generation.fingerprint;
    if (found !== fingerprint && !earlier.includes(found)) throw toMismatchError(store, found, fingerprint);
    return generation;
  };
  /** Waits while a next generation takes over. */
  const readSettled = async (): Promise<string> => {
    let seen = '';
    let seenAt = performance.now();
    for (;;) {
      const state = await catalog.read();
      if (state.closing === '') return state.current;
      if (state.closing !== seen) [seen, seenAt] = [state.closing, performance.now()];
      else if (performance.now() - seenAt > closingLeaseMs) await catalog.write({ ...state, closing: '' });
      await sleep(LOOK_MS);
    }
  };
  const isConfirmed = async ({ name }: Generation): Promise<boolean> => {
    // By name: another call may have moved on to the next generation while this one wrote to the last.
    if (confirmed.name === name && performance.now() - confirmed.at < catalogLeaseMs) return true;
    const askedAt = performance.now();
    if ((await readSettled()) !== name) return false;
    // Having waited for a closing, this may be older than the lease: then the next write asks again.
    confirmed = { name, at: askedAt };
    return true;
  };
  const inUse = async <T>(attempt: (generation: Generation) => Promise<T | 'moved'>): Promise<T> => {
    for (let moves = 0; moves < MAX_MOVES; moves += 1) {
      const outcome = await attempt(current()).catch((error: unknown) => {
        if (isGone(error)) return 'moved' as const;
        throw error;
      });
      if (outcome !== 'moved') return outcome;
      await moved();
    }
    throw new ContextloomError('unavailable', `the index of ${store} is being rebuilt; try again`);
  };
  return {
    fingerprint: () => generation.fingerprint,
    run: (work) => inUse(({ rows }) => work(rows)),
    write: (work) =>
      inUse(async (generation) => {
        const outcome = await work(generation.rows);
        return (await isConfirmed(generation)) ? outcome : 'moved';
      }),
  };
}
