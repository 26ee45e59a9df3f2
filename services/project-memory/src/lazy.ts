/** Something that is opened at its first use. */
export interface Lazy<T> {
  /** Opens it, or answers what is open; a failed opening is tried again by the next call. */
  readonly get: () => Promise<T>;
  /** What is open or being opened; undefined before the first use. */
  readonly current: () => Promise<T> | undefined;
}

/** Puts off an opening until somebody needs it, and does it once. */
export function createLazy<T>(open: () => Promise<T>): Lazy<T> {
  let opened: Promise<T> | undefined;
  return {
    get: () => {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    current: () => opened,
  };
}
