import { useQuery } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';

/** Above this many memories deleted at once, consequences are not looked up. */
const MOST = 20;

/** What an answer lists as one consequence: what becomes of which memory, and what that says. */
const CONSEQUENCE = /^removed (?<id>\S+): (?<text>.+)$/su;

/** What goes with memories that are about to be deleted, since it was drawn from them alone: what it says. */
export function useConsequences(ids: readonly string[]): readonly string[] {
  const { call } = useServer();
  const { user } = useUser();
  const { data = [] } = useQuery({
    queryKey: ['consequences', user, ids],
    enabled: ids.length > 0 && ids.length <= MOST,
    // What is not known yet, the deletion itself reports.
    retry: false,
    queryFn: async ({ signal }) => {
      const answers = await Promise.all(
        ids.map((id) => call('forget', { user_id: user, id, dry_run: true }, { signal })),
      );
      return readRemoved(
        answers.flatMap(({ consequences = [] }) => consequences),
        ids,
      );
    },
  });
  return data;
}

/** Reads what else goes from the consequences of deletions, each memory once. */
function readRemoved(consequences: readonly string[], ids: readonly string[]): readonly string[] {
  const removed = new Map<string, string>();
  for (const line of consequences) {
    const { id, text } = CONSEQUENCE.exec(line)?.groups ?? {};
    if (id !== undefined && text !== undefined && !ids.includes(id)) removed.set(id, text);
  }
  return [...removed.values()];
}
