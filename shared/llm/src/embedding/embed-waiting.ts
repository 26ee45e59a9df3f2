import { isContextloomError } from '@contextloom/contracts';
import { startRepeating } from '@contextloom/runtime/scheduling';

/** What makes vectors later. */
export interface EmbeddingWaitingOptions {
  /** Makes the vectors of texts that were stored without one, as far as the embedder can be reached; answers how many. */
  readonly embedWaiting: () => Promise<number>;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** How often texts are looked for, in milliseconds. */
  readonly intervalMs?: number | undefined;
}

const LOOK_MS = 60_000;

/**
 * Has the vectors made, from time to time, of texts that were stored while the embedder was out of reach. It never keeps the
 * process alive; the function returned stops it after the texts under way.
 */
export function startEmbeddingWaiting({ embedWaiting, log, intervalMs = LOOK_MS }: EmbeddingWaitingOptions) {
  const run = async (): Promise<void> => {
    const made = await embedWaiting();
    if (made > 0) log.info({ texts: made }, 'embedded what was stored while the embedder was out of reach');
  };
  const onError = (cause: unknown): void =>
    log.warn({ cause }, 'texts without vectors could not be embedded; this will be tried again');
  return startRepeating({ run, onError, everyMs: intervalMs });
}

const isOfText = (error: unknown): boolean =>
  isContextloomError(error) && (error.code === 'invalid' || error.code === 'too_large');

/**
 * The vectors of texts in their order, undefined for one that the model refuses as such, such as one too long for it: that must not
 * hold up the others. Rejects while the model cannot be used.
 */
export async function embedEach(
  texts: readonly string[],
  embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<readonly (Float32Array | undefined)[]> {
  try {
    return await embed(texts);
  } catch (error) {
    if (!isOfText(error)) throw error;
    if (texts.length <= 1) return [undefined];
    const half = Math.ceil(texts.length / 2);
    const first = await embedEach(texts.slice(0, half), embed);
    return [...first, ...(await embedEach(texts.slice(half), embed))];
  }
}
