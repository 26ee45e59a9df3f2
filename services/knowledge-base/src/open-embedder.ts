import { join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { type Embedder, type EmbeddingChoice, openEmbedder } from '@contextloom/llm';
import type { Log } from '@contextloom/mcp-kit';
import { withDeadline } from './domain/deadline.ts';
import type { EmbedderIdentity } from './domain/store.ts';
import { STORE_FILE, type StorePlace, toChromaAddress } from './open-store.ts';
import { readStoredEmbedder } from './store/embedded/stored-embedder.ts';

/** How long a Chroma server may take to say what it holds, in milliseconds: the store is opened without it too. */
const CHROMA_WAIT_MS = 2_000;

async function readFrom(place: StorePlace): Promise<EmbedderIdentity | undefined> {
  const address = toChromaAddress(place);
  if (address === undefined) return readStoredEmbedder(join(place.dataDir, STORE_FILE));
  const chroma = await import('./store/chroma/stored-embedder.ts');
  const toLate = () => new ContextloomError('timeout', 'Chroma did not say in time what filled the store');
  return withDeadline(chroma.readStoredEmbedder(address), CHROMA_WAIT_MS, toLate);
}

/**
 * Opens the embedder that the settings name. While its endpoint is out of reach it has the size that the store was filled
 * with, so that a service starts: it finds by words then, and stores nothing.
 * @throws ContextloomError as `openEmbedder` does
 */
export function openStoreEmbedder(options: StorePlace & EmbeddingChoice & { readonly log: Log }): Promise<Embedder> {
  const { log } = options;
  return openEmbedder(options, {
    find: () =>
      readFrom(options).catch((cause: unknown) => {
        if (!isContextloomError(cause)) throw cause;
        log.debug({ cause }, 'what filled the store is not known'); // Opening the store tells why.
        return undefined;
      }),
    onAway: (cause) =>
      log.warn({ cause }, 'the embedder is out of reach: searching by words, and storing nothing, until it is back'),
  });
}
