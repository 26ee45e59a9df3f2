import { ContextloomError } from '@contextloom/contracts';
import { toEmbedder, toLostIndexError } from '../../fingerprint.ts';
import type { ChromaAddress } from '../connection/address.ts';
import { type ChromaServer, connectToChroma, type FoundCollection } from '../connection/client.ts';
import { isServerFailure } from '../connection/errors.ts';
import { findForm } from './catalog.ts';
import { WAITING } from './rows.ts';

/**
 * Finds out whether the server has lost its vectors, which it does not make again: it then finds next to nothing, and says that
 * all is well. Counting and listing do not show it either, since they ask another part of it.
 */
export async function findLoss({ rows }: FoundCollection, store: string): Promise<ContextloomError | undefined> {
  try {
    await rows.probe();
    return undefined;
  } catch (cause) {
    if (!isServerFailure(cause)) throw cause;
    return toLostIndexError(store, cause);
  }
}

/** What a store on a server holds, as far as it can be known without writing. */
export interface Inspection {
  /** What filled it; undefined for a store that is missing or empty. */
  readonly fingerprint: string | undefined;
  /** How many documents wait for their vectors. */
  readonly waiting: number;
}

/**
 * Looks into a store on a Chroma server, whoever writes to it.
 * @throws ContextloomError `unavailable` when the server cannot be used
 */
export async function inspect(address: ChromaAddress): Promise<Inspection> {
  const server = connectToChroma(address);
  try {
    await checkVersion(server);
    const form = await findForm(server, address.collection);
    if (form === undefined || (await form.documents.rows.count()) === 0) return { fingerprint: undefined, waiting: 0 };
    const lost = await findLoss(form.documents, `"${address.collection}" of ${server.name}`);
    if (lost !== undefined) throw lost;
    const key = form.kind === 'plain' ? WAITING : 'doc:waiting';
    return { fingerprint: form.fingerprint, waiting: (await form.documents.rows.list({ [key]: true })).length };
  } finally {
    server.close();
  }
}

/** Which embedder filled the store on a Chroma server; undefined for a store that is missing or empty. */
export async function readStoredEmbedder(address: ChromaAddress) {
  const { fingerprint } = await inspect(address);
  return fingerprint === undefined ? undefined : toEmbedder(fingerprint);
}

/** The server's own numbering begins with the API that the client speaks. */
const OLDEST_MAJOR = 1;

/** @throws ContextloomError `unavailable` when the server is too old */
export async function checkVersion(server: ChromaServer): Promise<void> {
  const version = await server.version().catch((error: unknown) => {
    if (error instanceof ContextloomError && error.code !== 'not_found') throw error;
    return 'of before 1.0'; // An old server does not know the question.
  });
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return;
  throw new ContextloomError(
    'unavailable',
    `${server.name} is version ${version}: version ${OLDEST_MAJOR}.0 or newer is needed`,
  );
}
