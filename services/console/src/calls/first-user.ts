import type { ListAllUsersAnswer } from '@contextloom/contracts';

/** The user of a server that is for one, where nothing else is said. */
export const DEFAULT_USER = 'default';

/** Whom the page opens on where nobody was chosen before: a user who has memories, the one of a server that is for one before others. */
export function toFirstUser({ users }: Pick<ListAllUsersAnswer, 'users'>): string {
  const sized = users
    .map(({ user_id: user, stores, last_call_at: last = '' }) => {
      const size = stores.flatMap(({ counts }) => counts).reduce((sum, { count }) => sum + count, 0);
      return { user, size, last };
    })
    .filter(({ size }) => size > 0);
  if (sized.some(({ user }) => user === DEFAULT_USER)) return DEFAULT_USER;
  const [first] = sized.toSorted((a, b) => (a.last === b.last ? b.size - a.size : a.last < b.last ? 1 : -1));
  return first?.user ?? DEFAULT_USER;
}
