import { setTimeout as sleep } from 'node:timers/promises';
import { isContextloomError } from '@contextloom/contracts';
import type { Derive, DocumentStore, RebuildOptions, RebuildReport } from '../../../domain/store.ts';
import type { Catalog, Generation } from '../rows/catalog.ts';

/** What an upgrade works with. */
export interface ChromaUpgradeOptions {
  readonly catalog: Catalog;
  /** What this program fills generations with, as text. */
  readonly fingerprint: string;
  readonly rebuild: DocumentStore['rebuild'];
  readonly derive: Derive;
  /** How long a rebuild may show no sign of life before another goes on with it, in milliseconds. */
  readonly leaseMs: number;
}

/** How often a rebuild shows that it is at work, in a lease. */
const BEATS = 5;

/** What changes while somebody makes the next generation; undefined when nobody has begun. */
async function readSign(catalog: Catalog, { indexSwap }: Generation): Promise<string | undefined> {
  if (indexSwap.next === '') return undefined;
  const next = await catalog.find(indexSwap.next);
  return next && `${indexSwap.turn} ${next.beat} ${await next.rows.count()}`;
}

/** Shows in the next generation, while the work goes on, that somebody makes it. */
async function showBeats<T>(catalog: Catalog, everyMs: number, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const beat = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await sleep(everyMs, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
      const { current, closing } = await catalog.read();
      if (ended.signal.aborted || closing !== '') return; // The closing shows its own.
      const { indexSwap } = await catalog.open(current);
      const next = indexSwap.next === '' ? undefined : await catalog.find(indexSwap.next);
      await next?.setBeat(catalog.newId());
    }
  };
  const beating = beat().catch(() => undefined); // The work itself meets the same failure.
  try {
    return await work();
  } finally {
    ended.abort();
    await beating;
  }
}

/**
 * Builds the function that makes the index of a store again unless this program made it. The server has no locks: who sees
 * another at work waits until it is done, or has shown no sign of life for as long as a lease.
 */
export function createUpgrade({ catalog, fingerprint, rebuild, derive, leaseMs }: ChromaUpgradeOptions) {
  const readGeneration = async (): Promise<Generation> => catalog.open((await catalog.read()).current);
  const isFree = async (generation: Generation, signal: AbortSignal | undefined): Promise<boolean> => {
    const sign = await readSign(catalog, generation);
    if (sign === undefined) return true;
    await sleep(leaseMs, undefined, { signal, ref: false }).catch(() => undefined);
    const now = await readGeneration();
    return now.name === generation.name && (await readSign(catalog, now)) === sign;
  };
  return async (options: Pick<RebuildOptions, 'signal' | 'onProgress'>): Promise<RebuildReport['kind']> => {
    for (;;) {
      const generation = await readGeneration();
      if (generation.fingerprint === fingerprint) return 'complete';
      const free = await isFree(generation, options.signal);
      if (options.signal?.aborted) return 'interrupted';
      if (!free) continue;
      try {
        const work = () => rebuild(derive, { ...options, resume: true });
        return (await showBeats(catalog, leaseMs / BEATS, work)).kind;
      } catch (error) {
        if (!isContextloomError(error) || error.code !== 'conflict') throw error; // Else another goes on.
      }
    }
  };
}
