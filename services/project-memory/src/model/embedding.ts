import { createCircuitBreaker, type Embedder } from '@contextloom/llm';
import type { Log } from '@contextloom/mcp-kit';
import type { EmbedTexts } from '../domain/prepare.ts';
import type { MemoryStore } from '../domain/store.ts';

/** How long an ingest waits for vectors, in milliseconds. */
const DEADLINE_MS = 30_000;
/** How many fragments are embedded at once later on. */
const BATCH = 64;

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
  readonly store: Pick<MemoryStore, 'pending' | 'addEmbeddings'>;
  readonly embed: EmbedTexts;
  readonly log: Log;
  /** How often the store is looked at, in milliseconds; a minute unless told otherwise. */
  readonly intervalMs?: number;
}

/** Makes vectors that are missing, from time to time, for as long as the server runs. */
export function startPendingEmbeddings(options: PendingEmbeddingsOptions): PendingEmbeddings {
  const { store, embed, log, intervalMs = 60_000 } = options;
  let isStopped = false;
  const run = async (): Promise<number> => {
    let made = 0;
    while (!isStopped) {
      const fragments = await store.pending(BATCH);
      if (fragments.length === 0) break;
      const vectors = await embed(fragments.map(({ content }) => content));
      if (vectors === undefined) break;
      await store.addEmbeddings(
        fragments.flatMap((fragment, at) => {
          const embedding = vectors[at];
          return embedding === undefined ? [] : [{ ...fragment, embedding }];
        }),
      );
      made += fragments.length;
    }
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
