import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { MEMORIES } from '../memories/use-memories.ts';
import { useCommitLater, useWaiting } from '../shell/use-undoable.ts';

/** An entry that becomes part of another one, which stays; or one that is put aside, since it is no person and no thing. */
export type Change =
  | { readonly kind: 'merge'; readonly entity_id: number; readonly duplicate_id: number }
  | { readonly kind: 'put_aside'; readonly entity_id: number };

/** Changes that are shown at once, and sent when they can no longer be undone. */
export interface Changes {
  /** Ids of entries that are no longer shown. */
  readonly hidden: ReadonlySet<number>;
  /** What was changed last, and can be undone. */
  readonly last: Change | undefined;
  readonly error: Error | undefined;
  readonly change: (change: Change) => void;
  readonly undo: () => void;
  /** Shows an entry again that was put aside. */
  readonly restore: (entity_id: number) => Promise<void>;
}

const toHidden = (change: Change): number => (change.kind === 'merge' ? change.duplicate_id : change.entity_id);

/** Changes people and things after a minute, or when the reader leaves. */
export function useChanges(): Changes {
  const { callServer } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const { pending, waiting, keep } = useWaiting<Change>();
  const [sent, setSent] = useState<readonly Change[]>([]);
  const [error, setError] = useState<Error>();
  const commit = useCallback(async () => {
    const changes = waiting.current;
    if (changes.length === 0) return;
    keep([]);
    setSent((before) => [...before, ...changes]);
    try {
      // One after the other: what was merged into an entry moves on with it.
      for (const one of changes) {
        const { entity_id } = one;
        if (one.kind === 'put_aside')
          await callServer('delete_entity', { user_id: user, entity_id }, { keepalive: true });
        else {
          const { duplicate_id } = one;
          await callServer('merge_entities', { user_id: user, entity_id, duplicate_id }, { keepalive: true });
        }
      }
    } catch (reason) {
      setError(reason as Error);
    }
    await client.invalidateQueries({ queryKey: [MEMORIES] });
    setSent((before) => before.filter((one) => !changes.includes(one)));
  }, [callServer, client, keep, user, waiting]);
  useCommitLater(commit, pending);
  const hidden = useMemo(() => new Set([...pending, ...sent].map(toHidden)), [pending, sent]);
  const restore = async (entity_id: number): Promise<void> => {
    await callServer('update_entity', { user_id: user, entity_id, status: 'active' }).catch(setError);
    await client.invalidateQueries({ queryKey: [MEMORIES] });
  };
  return {
    hidden,
    last: pending.at(-1),
    error,
    change: (one) => keep([...waiting.current, one]),
    undo: () => keep([]),
    restore,
  };
}
