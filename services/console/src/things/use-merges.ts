import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { MEMORIES } from '../memories/use-memories.ts';
import { useCommitLater, useWaiting } from '../shell/use-undoable.ts';

/** Two entries that are the same person or thing: one stays, and the other becomes part of it. */
interface Merge {
  readonly entity_id: number;
  readonly duplicate_id: number;
}

/** Merges that are shown at once, and sent when they can no longer be undone. */
export interface Merges {
  /** Ids of entries that became part of another. */
  readonly hidden: ReadonlySet<number>;
  readonly isPending: boolean;
  readonly error: Error | undefined;
  readonly merge: (merge: Merge) => void;
  readonly undo: () => void;
}

/** Merges people and things after a minute, or when the reader leaves. */
export function useMerges(): Merges {
  const { callServer } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const { pending, waiting, keep } = useWaiting<Merge>();
  const [sent, setSent] = useState<readonly Merge[]>([]);
  const [error, setError] = useState<Error>();
  const commit = useCallback(async () => {
    const merges = waiting.current;
    if (merges.length === 0) return;
    keep([]);
    setSent((before) => [...before, ...merges]);
    try {
      // One after the other: what was merged into an entry moves on with it.
      for (const one of merges) await callServer('merge_entities', { user_id: user, ...one }, { keepalive: true });
    } catch (reason) {
      setError(reason as Error);
    }
    await client.invalidateQueries({ queryKey: [MEMORIES] });
    setSent((before) => before.filter((one) => !merges.includes(one)));
  }, [callServer, client, keep, user, waiting]);
  useCommitLater(commit, pending);
  const hidden = useMemo(() => new Set([...pending, ...sent].map(({ duplicate_id }) => duplicate_id)), [pending, sent]);
  return {
    hidden,
    isPending: pending.length > 0,
    error,
    merge: (merge) => keep([...waiting.current, merge]),
    undo: () => keep([]),
  };
}
