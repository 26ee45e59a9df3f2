/** Runs work at once, or when the event loop has turned. */
export type RunInSlices = <T>(work: () => T | Promise<T>) => Promise<T>;

/** How long work goes on before the event loop turns, in milliseconds. */
const SLICE_MS = 2;

/**
 * Builds a way to run work in this thread, in the order in which it comes, that lets the event loop turn after each slice of
 * so many milliseconds: many searches that come at once then do not block everything else.
 */
export function createTimeSlices(milliseconds = SLICE_MS): RunInSlices {
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
