import { setTimeout as sleep } from 'node:timers/promises';
import type { RebuildOptions, RebuildProgress, RebuildReport } from '../domain/store.ts';

/** What an upgrade is started with. */
export interface IndexUpgradeOptions {
  /** Makes the index this program's; of several processes one at a time does, and all resolve when it is done. */
  readonly run: (options: Pick<RebuildOptions, 'signal' | 'onProgress'>) => Promise<RebuildReport['kind']>;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** How long to wait after a failure, such as of an embedder out of reach, in milliseconds. */
  readonly retryMs?: number;
}

/** The making of an index that an earlier version of this program made, while the store serves. */
export interface IndexUpgrade {
  /** How far it is; undefined once it is done. */
  progress(): RebuildProgress | undefined;
  /** Resolves when it is done or was stopped. */
  readonly ended: Promise<void>;
  /** Ends it soon; what it has done is there for the next. */
  stop(): void;
}

const RETRY_MS = 30_000;
/** Progress is logged at each further so many hundredths. */
const LOGGED_SHARE = 0.1;

/** Starts an upgrade, which is tried again until it is done or stopped. */
export function startIndexUpgrade({ run, log, retryMs = RETRY_MS }: IndexUpgradeOptions): IndexUpgrade {
  const stopped = new AbortController();
  const { signal } = stopped;
  let progress: RebuildProgress | undefined = { documents: 0, done: 0 };
  let logged = 0;
  const onProgress = (next: RebuildProgress): void => {
    // Documents that change meanwhile are done more than once.
    progress = { ...next, done: Math.min(next.done, next.documents) };
    const share = progress.done / Math.max(1, progress.documents);
    if (share < logged + LOGGED_SHARE) return;
    logged = share;
    log.info(progress, 'the index is being made again');
  };
  const work = async (): Promise<void> => {
    log.info({}, 'an earlier version made the index; it is made again while searches use the earlier one');
    while (!signal.aborted) {
      try {
        if ((await run({ signal, onProgress })) === 'complete') {
          progress = undefined;
          log.info({}, 'the index is made again');
          return;
        }
      } catch (cause) {
        if (signal.aborted) return; // The store was closed under it.
        log.warn({ cause }, 'the index could not be made again; searches use the earlier one until it can');
        await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  };
  return { progress: () => progress, ended: work(), stop: () => stopped.abort() };
}
