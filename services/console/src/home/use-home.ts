import { useQuery } from '@tanstack/react-query';
import type { Input } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { MEMORIES } from '../memories/use-memories.ts';

/** How many years back this day is looked for. */
const YEARS = 5;
const DAY_MS = 86_400_000;

/** A day as `YYYY-MM-DD`, where the reader is. */
const toIsoDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

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
      const years = Array.from(
        { length: YEARS },
        (_one, at) => `${Number(today.slice(0, 4)) - at - 1}${today.slice(4)}`,
      );
      const [profile, coming, latest, ...past] = await Promise.all([
        list({ kind: 'fact', limit: 20 }),
        list({ kind: 'event', time_range: `${tomorrow}..`, limit: 20 }),
        list({ time_range: `..${today}`, limit: 8 }),
        ...years.map((day) => list({ time_range: `${day}..${day}`, limit: 3 })),
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
