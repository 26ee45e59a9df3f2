import { type Embedder, embedEach, isOutage } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import type { MemoryStore } from '../domain/store.ts';

/** How long a batch may take, in milliseconds. */
const DEADLINE_MS = 30_000;
/** How many fragments are embedded at once. */
const BATCH = 64;

type EmbeddingModel = Pick<Embedder, 'embed'>;

/** What makes missing vectors. */
export interface PendingEmbeddings {
  /** Makes those that there are to make, as far as the embedder can be used; answers how many. */
  readonly run: () => Promise<number>;
  /** Begins to make them, and does not wait. */
  readonly begin: () => void;
  /** Waits for what is under way, and makes no more. */
  readonly stop: () => Promise<void>;
}

/** What missing vectors are made with. */
export interface PendingEmbeddingsOptions {
  /** Whose: another owner's server may have an endpoint of its own, for texts that are not for this one. */
  readonly ownerId: string;
  readonly store: Pick<MemoryStore, 'pending' | 'addEmbeddings'>;
  readonly embedder: EmbeddingModel;
  readonly log: Log;
  /** How often the store is looked at, in milliseconds; a minute by default. */
  readonly intervalMs?: number;
}

/**
 * Builds the function that makes the vectors of one batch and answers how many it made: 0 when nothing is pending, or
 * none can be made.
 */
function createMakeBatch({ ownerId, store, embedder, log }: PendingEmbeddingsOptions): () => Promise<number> {
  /** Ids of fragments that the embedder refuses, and will again. */
  const refused = new Set<string>();
  const embedAll = async (texts: readonly string[]): Promise<readonly (Float32Array | undefined)[]> => {
    try {
      if (texts.length === 0) return [];
      return await embedEach(texts, (some) => embedder.embed(some, AbortSignal.timeout(DEADLINE_MS)));
    } catch (cause) {
      if (!isOutage(cause)) throw cause;
      log.warn({ cause, texts: texts.length }, 'the embedder could not be used; vectors are made later');
      return [];
    }
  };
  return async () => {
    const found = await store.pending(ownerId, BATCH + refused.size);
    const fragments = found.filter(({ id }) => !refused.has(id));
    const vectors = await embedAll(fragments.map(({ content }) => content));
    const embedded = fragments.flatMap((fragment, at) => {
      const embedding = vectors[at];
      return embedding === undefined ? [] : [{ ...fragment, embedding }];
    });
    // Where each one is refused, something else may be wrong, such as a model that is not there yet.
    if (embedded.length === 0) return 0;
    await store.addEmbeddings(embedded);
    for (const [at, { id }] of fragments.entries()) {
      if (vectors[at] !== undefined) continue;
      refused.add(id);
      log.warn({ fragment: id }, 'the embedder refuses a text; words alone find it');
    }
    return embedded.length;
  };
}

/** Makes vectors that are missing, from time to time, for as long as the server runs. */
export function startPendingEmbeddings(options: PendingEmbeddingsOptions): PendingEmbeddings {
  const { log, intervalMs = 60_000 } = options;
  const makeBatch = createMakeBatch(options);
  let isStopped = false;
  const run = async (): Promise<number> => {
    let made = 0;
    for (let last = 1; last > 0 && !isStopped; made += last) last = await makeBatch();
    return made;
  };
  let underWay: Promise<number> = Promise.resolve(0);
  const runNext = (): Promise<number> => {
    underWay = underWay.then(run, run);
    return underWay;
  };
  const tick = (): void => {
    runNext().catch((cause: unknown) => log.warn({ cause }, 'vectors could not be made'));
  };
  const timer = setInterval(tick, intervalMs);
  timer.unref();
  tick();
  return {
    run: runNext,
    begin: tick,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await underWay.catch(() => 0);
    },
  };
}
