import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useCommitLater, useWaiting } from '../shell/use-undoable.ts';
import { MEMORIES } from './use-memories.ts';

/** What was changed and can be undone; deletions are hidden at once, and done when they can no longer be undone. */
export interface Deletions {
  /** Ids that are no longer shown. */
  readonly hidden: ReadonlySet<string>;
  /** What can still be kept from being deleted. */
  readonly pending: readonly string[];
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
  const { pending, waiting, keep } = useWaiting<string>();
  const { pending: changed, waiting: undoing, keep: keepUndo } = useWaiting<() => Promise<unknown>>();
  const [gone, setGone] = useState<readonly string[]>([]);
  const [error, setError] = useState<Error>();
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
  }, [call, client, keep, keepUndo, user, waiting]);
  useCommitLater(commit, pending, changed);
  return {
    hidden: new Set([...pending, ...gone]),
    pending,
    isChanged: changed.length > 0,
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
