import { isContextloomError } from '@contextloom/contracts';
import { type Embedder, type EmbeddingChoice, openEmbedder } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { engineOf, type StorePlace } from './store/index.ts';

/**
 * Opens the embedder that the settings name. While its endpoint cannot be reached, the embedder takes its dimensions from the
 * store, so that the service starts: searches go by words then, and vectors are made later.
 * @throws ContextloomError as `openEmbedder` does
 */
export function openStoreEmbedder(options: StorePlace & EmbeddingChoice & { readonly log: Log }): Promise<Embedder> {
  const { log } = options;
  return openEmbedder(options, {
    find: () =>
      engineOf(options)
        .readEmbedder(options)
        .catch((cause: unknown) => {
          if (!isContextloomError(cause)) throw cause;
          log.debug({ cause }, 'the embedder that filled the store is unknown'); // Opening the store gives the reason.
          return undefined;
        }),
    onAway: (cause) =>
      log.warn({ cause }, 'the embedder cannot be reached: until it is back, searches go by words and vectors wait'),
  });
}
