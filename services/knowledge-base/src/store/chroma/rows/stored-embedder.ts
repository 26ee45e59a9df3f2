import type { EmbedderIdentity } from '../../../domain/store.ts';
import { toEmbedder } from '../../fingerprint.ts';
import type { ChromaAddress } from '../connection/address.ts';
import { connectToChroma } from '../connection/client.ts';

/**
 * Which embedder filled the store on a Chroma server; undefined for a store that is missing or empty.
 * @throws ContextloomError `unavailable` when the server cannot be used
 */
export async function readStoredEmbedder(address: ChromaAddress): Promise<EmbedderIdentity | undefined> {
  const server = connectToChroma(address);
  try {
    const catalog = await server.findCollection(address.collection);
    const generation = await server.findCollection(String(catalog?.notes['current'] ?? ''));
    if (generation === undefined || (await generation.rows.count()) === 0) return undefined;
    return toEmbedder(String(generation.notes['filling']));
  } finally {
    server.close();
  }
}
