import { isContextloomError } from '@contextloom/contracts';
import { type Embedder, type EmbeddingChoice, openEmbedder } from '@contextloom/llm';
import type { Log } from '@contextloom/mcp-kit';
import { engineOf, type StorePlace } from './store/index.ts';

/**
 * Opens the embedder that the settings name. While its endpoint is out of reach it has the size that the store was filled
 * with, so that a service starts: it finds by words then, and stores nothing.
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
          log.debug({ cause }, 'what filled the store is not known'); // Opening the store tells why.
          return undefined;
        }),
    onAway: (cause) =>
      log.warn({ cause }, 'the embedder is out of reach: searching by words, and storing nothing, until it is back'),
  });
}
