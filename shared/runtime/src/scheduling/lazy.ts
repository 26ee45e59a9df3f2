/** A value that is opened at its first use. */
export interface Lazy<T> {
  /** Opens the value once; after a failure the next call tries again. */
  readonly get: () => Promise<T>;
  /** The value that is open or being opened; undefined before the first use. */
  readonly current: () => Promise<T> | undefined;
  /** Drops a value that stopped working, so that the next call opens another. Does nothing if another is open already. */
  readonly drop: (value: Promise<T>) => void;
}

/** Builds a value that `open` opens at its first use. */
export function createLazy<T>(open: () => Promise<T>): Lazy<T> {
  let opened: Promise<T> | undefined;
  const drop = (value: Promise<T>): void => {
    if (opened === value) opened = undefined;
  };
  return {
    get: () => {
      if (opened !== undefined) return opened;
      const opening: Promise<T> = open().catch((error: unknown) => {
        drop(opening);
        throw error;
      });
      opened = opening;
      return opening;
    },
    current: () => opened,
    drop,
  };
}
