/** Bounds how many calls may be made or paid for whose answers are not saved yet, over all conversations at once. */
export interface UnsavedLimit {
  /** Resolves when one more may be made, in the order of asking. */
  readonly take: () => Promise<void>;
  /** Gives back so many whose answers are saved, or that were not made. */
  readonly release: (count: number) => void;
}

/** Builds a limit; a kill has at most so many calls made again. */
export function createUnsavedLimit(most: number): UnsavedLimit {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    take: async () => {
      if (taken < most) taken += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    release: (count) => {
      for (let left = count; left > 0; left -= 1) {
        // What is handed on stays taken.
        const next = waiting.shift();
        if (next === undefined) taken -= 1;
        else next();
      }
    },
  };
}
