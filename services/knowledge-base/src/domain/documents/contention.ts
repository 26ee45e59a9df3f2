/** How a change waits for its turn when others change the same document. */
export interface Backoff {
  /** Waits for so many milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>;
  /** In [0, 1). */
  readonly random: () => number;
}

const FIRST_WINDOW_MS = 5;
/** Forty changes that each take the ten milliseconds of a slow disk or of a network fit into it. */
const MAX_WINDOW_MS = 400;
/** Some five seconds of waiting in all: less than callers wait for an answer. */
const MAX_ATTEMPTS = 30;

const ownBackoff: Backoff = {
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
};

/**
 * Tries until no other change came between an attempt's reading and its writing; undefined when one always did. It waits
 * between two attempts, longer each time and with full jitter (Marc Brooker, Exponential Backoff And Jitter, 2015): those
 * that try again at once only meet again.
 */
export async function untilUncontended<T>(
  attempt: () => Promise<T | 'stale'>,
  { pause, random }: Backoff = ownBackoff,
): Promise<T | undefined> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if (outcome !== 'stale') return outcome;
    if (tries === MAX_ATTEMPTS) return undefined;
    await pause(random() * Math.min(MAX_WINDOW_MS, FIRST_WINDOW_MS * 2 ** (tries - 1)));
  }
}
