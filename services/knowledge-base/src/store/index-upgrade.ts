import { setTimeout as sleep } from 'node:timers/promises';
import type { RebuildOptions, RebuildProgress, RebuildReport } from '../domain/store.ts';

/** What an upgrade is started with. */
export interface IndexUpgradeOptions {
  /** Rebuilds the index for this program; one process at a time works on it, and all resolve when it is done. */
  readonly run: (options: Pick<RebuildOptions, 'signal' | 'onProgress'>) => Promise<RebuildReport['kind']>;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** How long to wait after a failure, such as of an embedder out of reach, in milliseconds. */
  readonly retryMs?: number;
}

/** The rebuild of an index that an earlier version of this program made, while the store serves. */
export interface IndexUpgrade {
  /** Its progress; undefined once it is done. */
  progress(): RebuildProgress | undefined;
  /** Resolves when it is done or was stopped. */
  readonly ended: Promise<void>;
  /** Ends it soon; the next rebuild goes on from there. */
  stop(): void;
}

const RETRY_MS = 30_000;
/** Progress is logged at each further so many hundredths. */
const LOGGED_SHARE = 0.1;

/** Starts an upgrade and retries it until it is done or stopped. */
export function startIndexUpgrade({ run, log, retryMs = RETRY_MS }: IndexUpgradeOptions): IndexUpgrade {
  const stopped = new AbortController();
  const { signal } = stopped;
  let progress: RebuildProgress | undefined = { documents: 0, done: 0 };
  let logged = 0;
  const onProgress = (next: RebuildProgress): void => {
    // A document that changes during the rebuild counts more than once.
    progress = { ...next, done: Math.min(next.done, next.documents) };
    const share = progress.done / Math.max(1, progress.documents);
    if (share < logged + LOGGED_SHARE) return;
    logged = share;
    log.info(progress, 'rebuilding the index');
  };
  const work = async (): Promise<void> => {
    log.info({}, 'an earlier version made the index: rebuilding it while searches use the earlier one');
    while (!signal.aborted) {
      try {
        if ((await run({ signal, onProgress })) === 'complete') {
          progress = undefined;
          log.info({}, 'the index is rebuilt');
          return;
        }
      } catch (cause) {
        if (signal.aborted) return; // The store was closed under it.
        log.warn({ cause }, 'the index could not be rebuilt: searches go on with the earlier one');
        await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  };
  return { progress: () => progress, ended: work(), stop: () => stopped.abort() };
}
