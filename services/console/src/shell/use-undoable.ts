import { useCallback, useEffect, useRef, useState } from 'react';

/** How long a change can be undone, in milliseconds. */
const UNDO_MS = 60_000;

/** Changes that wait until they can no longer be undone: `pending` for showing, `waiting` for what runs later. */
export function useWaiting<T>() {
  const [pending, setPending] = useState<readonly T[]>([]);
  const waiting = useRef<readonly T[]>([]);
  const keep = useCallback((changes: readonly T[]) => {
    waiting.current = changes;
    setPending(changes);
  }, []);
  return { pending, waiting, keep };
}

/**
 * Makes changes for good once they can no longer be undone: a minute after the last one, or when the reader leaves.
 * @param changes what waits; the minute begins again whenever one of the lists is another one
 */
export function useCommitLater(commit: () => Promise<void>, ...changes: readonly (readonly unknown[])[]): void {
  const isNone = changes.every(({ length }) => length === 0);
  useEffect(() => {
    if (isNone) return undefined;
    const timer = setTimeout(() => void commit(), UNDO_MS);
    return () => clearTimeout(timer);
  }, [...changes, isNone, commit]);
  useEffect(() => {
    const leave = (): void => void commit();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [commit]);
}
