import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { MEMORIES } from '../memories/use-memories.ts';

/** What was decided about a fact. */
export type Decision = Answer<'list_decisions'>['decisions'][number];

/** The decisions about the user's facts, and what takes one back. */
export function useDecisions() {
  const { call } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const key = ['decisions', user];
  const result = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call('list_decisions', { user_id: user }, { signal }),
  });
  const undoing = useMutation({
    mutationFn: (id: string) => call('undo_decision', { user_id: user, decision_id: id }),
    onSuccess: () =>
      Promise.all([client.invalidateQueries({ queryKey: key }), client.invalidateQueries({ queryKey: [MEMORIES] })]),
  });
  return { result, undoing };
}
