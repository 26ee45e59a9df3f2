import { useQuery } from '@tanstack/react-query';
import type { Input } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { toIsoDay, toOtherYears } from '../memories/days.ts';
import { MEMORIES } from '../memories/use-memories.ts';

const DAY_MS = 86_400_000;

/** What the first room tells: who one is, what comes, what was last, and this day in other years. */
export function useHome() {
  const { call } = useServer();
  const { user } = useUser();
  const today = toIsoDay(new Date());
  return useQuery({
    queryKey: [MEMORIES, user, 'home', today],
    queryFn: async ({ signal }) => {
      const list = async (fields: Omit<Input<'list_memories'>, 'user_id'>) =>
        (await call('list_memories', { user_id: user, order: 'newest', ...fields }, { signal })).memories;
      const tomorrow = toIsoDay(new Date(Date.now() + DAY_MS));
      const [profile, coming, latest, ...past] = await Promise.all([
        list({ kind: 'fact', limit: 20 }),
        list({ kind: 'event', time_range: `${tomorrow}..`, limit: 20 }),
        list({ time_range: `..${today}`, limit: 8 }),
        ...toOtherYears(today).map((day) => list({ time_range: `${day}..${day}`, limit: 3 })),
      ]);
      return {
        profile,
        coming: coming.toReversed(),
        latest: latest.filter(({ id }) => !id.startsWith('fact:')),
        past: past.flat(),
      };
    },
  });
}
