import type { ContextloomError } from '@contextloom/contracts';

/** So many calls in a row that came to nothing end the asking. */
const MAX_IN_A_ROW = 3;
/** How long the model is then left alone, in milliseconds. */
const PAUSE_MS = 60_000;

/** Keeps a long run from waiting for a model that is out of reach again at every window. */
export interface Breaker {
  /** Why the model is not asked now; undefined when it is. */
  readonly reason: () => string | undefined;
  readonly worked: () => void;
  readonly failed: (error: ContextloomError) => void;
}

/** Builds a breaker: it opens after three failures in a row, or at once for a wrong key, and closes after a minute. */
export function createBreaker({ now = () => performance.now() }: { readonly now?: () => number } = {}): Breaker {
  let inARow = 0;
  let open: { readonly until: number; readonly reason: string } | undefined;
  return {
    reason: () => (open !== undefined && now() < open.until ? open.reason : undefined),
    worked: () => {
      [inARow, open] = [0, undefined];
    },
    failed: (error) => {
      inARow += 1;
      if (inARow >= MAX_IN_A_ROW || error.code === 'unauthorized') {
        open = { until: now() + PAUSE_MS, reason: error.message };
      }
    },
  };
}
