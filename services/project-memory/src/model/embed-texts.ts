import { createCircuitBreaker, type Embedder } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import type { EmbedTexts } from '../domain/ingest/prepare.ts';

/** How long an ingest waits for vectors, in milliseconds. */
const DEADLINE_MS = 30_000;

/** Builds the function that embeds what is stored: a memory is kept without vectors rather than lost. */
export function createEmbedTexts({ embed }: Pick<Embedder, 'embed'>, log: Log): EmbedTexts {
  const breaker = createCircuitBreaker();
  return async (texts) => {
    if (texts.length === 0) return [];
    if (breaker.openReason() !== undefined) return undefined;
    try {
      return await breaker.run(() => embed(texts, AbortSignal.timeout(DEADLINE_MS)));
    } catch (cause) {
      log.warn({ cause, texts: texts.length }, 'the embedder could not be used; vectors are made later');
      return undefined;
    }
  };
}
