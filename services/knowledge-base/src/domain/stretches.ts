/** Runs work at once, or when the event loop has turned. */
export type RunInStretches = <T>(work: () => T | Promise<T>) => Promise<T>;

/** How long work goes on in one piece, in milliseconds. */
const STRETCH_MS = 2;

/**
 * Builds a way to run work in this thread, in the order in which it comes, that lets the event loop turn after each
 * stretch of so many milliseconds: a crowd of searches that come at once is then no one long standstill.
 */
export function createStretches(milliseconds = STRETCH_MS): RunInStretches {
  const waiting: (() => void)[] = [];
  let isTurning = false;
  let end = 0;
  const goOn = (): void => {
    end = performance.now() + milliseconds;
    while (waiting.length > 0 && performance.now() < end) waiting.shift()?.();
    isTurning = waiting.length > 0;
    if (isTurning) setImmediate(goOn);
  };
  return async (work) => {
    if (!isTurning) {
      isTurning = true;
      end = performance.now() + milliseconds;
      setImmediate(goOn);
    }
    if (waiting.length === 0 && performance.now() < end) return work();
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  };
}
