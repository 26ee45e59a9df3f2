import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { withDeadline } from '@contextloom/runtime/scheduling';
import { isOutage } from '../circuit-breaker.ts';
import type { EmbedderIdentity } from './embedder.ts';

/** What is known of an embedder before it is asked: that which filled a store. */
export interface KnownEmbedder {
  /** Which filled the store; undefined when nothing is stored. */
  readonly find: () => Promise<EmbedderIdentity | undefined>;
  /** Gets the reason why a known embedder was not called. */
  readonly onAway: (error: unknown) => void;
}

/** How long an embedder whose size is known is waited for, in milliseconds. */
const WAIT_MS = 2_000;

const toLate = (): Error => new ContextloomError('timeout', `the embedder did not answer within ${WAIT_MS / 1_000} s`);

/**
 * Asks an embedder how large its vectors are. When it is out of reach and is the one that is known, what is known counts.
 * @throws ContextloomError `unauthorized` for a wrong key, whatever is known; else as the embedder does
 */
export async function askSize(
  ask: (signal?: AbortSignal) => Promise<number>,
  { provider, model }: Omit<EmbedderIdentity, 'dimensions'>,
  known: KnownEmbedder | undefined,
): Promise<number> {
  const found = await known?.find();
  if (known === undefined || found?.provider !== provider || found.model !== model) return ask();
  try {
    // Not every embedder acts on its signal.
    return await withDeadline(ask(AbortSignal.timeout(WAIT_MS)), WAIT_MS, toLate);
  } catch (error) {
    if (!isOutage(error) || (isContextloomError(error) && error.code === 'unauthorized')) throw error;
    known.onAway(error);
    return found.dimensions;
  }
}
