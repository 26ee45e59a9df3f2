import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { MEMORIES } from './use-memories.ts';

/** How long a deletion can be undone, in milliseconds. */
const UNDO_MS = 60_000;

/** What was changed and can be undone; deletions are hidden at once, and done when they can no longer be undone. */
export interface Deletions {
  /** Ids that are no longer shown. */
  readonly hidden: ReadonlySet<string>;
  /** How many deletions can still be undone. */
  readonly pending: number;
  /** Whether anything else that was changed can still be undone. */
  readonly isChanged: boolean;
  readonly error: Error | undefined;
  /** `onUndo` takes back what else was changed. */
  readonly remove: (ids: readonly string[], onUndo?: () => Promise<unknown>) => void;
  /** Keeps what takes a change back. */
  readonly change: (onUndo: () => Promise<unknown>) => void;
  readonly undo: () => void;
}

/** Deletes memories of the user after a minute, or when the reader leaves. */
export function useDeletions(): Deletions {
  const { call } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const [pending, setPending] = useState<readonly string[]>([]);
  const [isChanged, setChanged] = useState(false);
  const [gone, setGone] = useState<readonly string[]>([]);
  const [error, setError] = useState<Error>();
  const waiting = useRef<readonly string[]>([]);
  const undoing = useRef<readonly (() => Promise<unknown>)[]>([]);
  const keep = useCallback((ids: readonly string[]) => {
    waiting.current = ids;
    setPending(ids);
  }, []);
  const keepUndo = useCallback((changes: readonly (() => Promise<unknown>)[]) => {
    undoing.current = changes;
    setChanged(changes.length > 0);
  }, []);
  const commit = useCallback(async () => {
    const ids = waiting.current;
    keepUndo([]);
    if (ids.length === 0) return;
    keep([]);
    setGone((before) => [...before, ...ids]);
    const done = await Promise.allSettled(ids.map((id) => call('forget', { user_id: user, id }, { keepalive: true })));
    const failed = done.flatMap((one, at) =>
      one.status === 'rejected' ? [{ id: ids[at], error: one.reason as Error }] : [],
    );
    setError(failed[0]?.error);
    setGone((before) => before.filter((id) => failed.every((one) => one.id !== id)));
    await client.invalidateQueries({ queryKey: [MEMORIES] });
  }, [call, client, keep, keepUndo, user]);
  useEffect(() => {
    if (pending.length === 0 && !isChanged) return undefined;
    const timer = setTimeout(() => void commit(), UNDO_MS);
    return () => clearTimeout(timer);
  }, [pending, isChanged, commit]);
  useEffect(() => {
    const leave = (): void => void commit();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [commit]);
  return {
    hidden: new Set([...pending, ...gone]),
    pending: pending.length,
    isChanged,
    error,
    remove: (ids, onUndo) => {
      if (onUndo !== undefined) keepUndo([...undoing.current, onUndo]);
      keep([...waiting.current, ...ids]);
    },
    change: (onUndo) => keepUndo([...undoing.current, onUndo]),
    undo: () => {
      const changes = [...undoing.current].reverse();
      keep([]);
      keepUndo([]);
      void takeBack(changes).then(
        () => client.invalidateQueries({ queryKey: [MEMORIES] }),
        (reason: Error) => setError(reason),
      );
    },
  };
}

/** Takes changes back one after the other, the last one first. */
async function takeBack(changes: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const change of changes) await change();
}
