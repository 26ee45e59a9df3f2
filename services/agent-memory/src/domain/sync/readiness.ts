import { ContextloomError } from '@contextloom/contracts';
import { withDeadline } from '@contextloom/runtime/scheduling';

/** How far something has come. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Lets calls wait for an index that is being made, for a while. */
export interface Readiness {
  /** Has calls wait until the work is done; work that fails rejects for its caller, and is done again at the next call. */
  until(work: () => Promise<unknown>): Promise<void>;
  /** Has the next call do the work first. */
  later(work: () => Promise<unknown>): void;
  /** @throws ContextloomError `unavailable` when it takes too long, saying how far it has come, and what the work throws */
  wait(): Promise<void>;
  /** Waits as long as it takes. */
  settled(): Promise<unknown>;
}

/** How readiness is made. */
export interface ReadinessOptions {
  readonly progress: () => Progress;
  /** How long a call waits, in milliseconds: clients give up after a minute, and would not learn why. */
  readonly patienceMs?: number | undefined;
}

/** Builds what calls wait for; at first there is nothing to wait for. */
export function createReadiness({ progress, patienceMs = 20_000 }: ReadinessOptions): Readiness {
  let current: Promise<unknown> = Promise.resolve();
  let again: (() => Promise<unknown>) | undefined;

  function until(work: () => Promise<unknown>): Promise<void> {
    const last = current;
    const ending = (async () => {
      await last.catch(() => undefined); // Its caller has the error.
      await work();
    })();
    again = undefined;
    ending.catch(() => {
      if (current === ending) again = work;
    });
    current = ending;
    return ending;
  }
  async function wait(): Promise<void> {
    if (again !== undefined) until(again).catch(() => undefined); // Awaited below.
    await withDeadline(current, patienceMs, () => {
      const { done, total } = progress();
      const message = `the index of the workspace is being made, ${done} of ${total} files are in it: try again in a minute`;
      return new ContextloomError('unavailable', message);
    });
  }
  const later = (work: () => Promise<unknown>): void => {
    again = work;
  };
  return { until, later, wait, settled: () => current };
}
