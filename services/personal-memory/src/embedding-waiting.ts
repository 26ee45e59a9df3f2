import type { Log } from '@contextloom/mcp-kit';
import type { MemoryStore } from './domain/store.ts';

/** What makes vectors later. */
export interface EmbeddingWaitingOptions {
  readonly store: Pick<MemoryStore, 'embedWaiting'>;
  readonly log: Log;
  /** How often the store is looked at, in milliseconds. */
  readonly intervalMs?: number;
}

const LOOK_MS = 60_000;

/**
 * Has the vectors made, from time to time, of texts that were stored while the embedder was out of reach. It never keeps the
 * process alive; the function returned stops it after the texts under way.
 */
export function startEmbeddingWaiting({ store, log, intervalMs = LOOK_MS }: EmbeddingWaitingOptions) {
  let running: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      const made = await store.embedWaiting();
      if (made > 0) log.info({ texts: made }, 'embedded what was stored while the embedder was out of reach');
    } catch (cause) {
      log.warn({ cause }, 'texts without vectors could not be embedded; this will be tried again');
    }
  };
  const timer = setInterval(() => {
    running = running.then(look);
  }, intervalMs);
  timer.unref();
  return async (): Promise<void> => {
    clearInterval(timer);
    await running;
  };
}
