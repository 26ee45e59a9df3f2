/** The last good answers of sources, each with its age in milliseconds. */
export interface LastAnswers {
  readonly keep: (key: string, value: unknown) => void;
  /** The answer for a key, when it is no older than `maxAgeMs`. */
  readonly find: (key: string, maxAgeMs: number) => { readonly value: unknown; readonly ageMs: number } | undefined;
}

/** Most answers that are kept: one for each call with other arguments. */
const MOST = 1_000;

/** Keeps the last good answers in the memory of this process; the longest unused ones go first. */
export function createLastAnswers(clock: () => Date): LastAnswers {
  const answers = new Map<string, { readonly value: unknown; readonly at: number }>();
  return {
    keep: (key, value) => {
      answers.delete(key);
      answers.set(key, { value, at: clock().getTime() });
      const [oldest] = answers.keys();
      if (answers.size > MOST && oldest !== undefined) answers.delete(oldest);
    },
    find: (key, maxAgeMs) => {
      const found = answers.get(key);
      const ageMs = found === undefined ? 0 : clock().getTime() - found.at;
      return found === undefined || ageMs > maxAgeMs ? undefined : { value: found.value, ageMs };
    },
  };
}
