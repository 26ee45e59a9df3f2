import type { UserStore } from '@contextloom/contracts';
import { createUserStore } from './user-store.ts';
import type { Workspaces } from './workspaces.ts';

/** Builds the store of all users where each has a workspace; the agent's own files are exported with the user's. */
export function createUsersStore(workspaces: Workspaces): UserStore {
  const { using, forget, countWaiting } = workspaces;
  return {
    users: async ({ after = '', limit }) => {
      const users = [];
      for (const userId of workspaces.list().filter((id) => id > after)) {
        if (users.length === limit) break;
        const page = await using(userId, 'reads', (owned) => createUserStore(owned).users({ limit: 1 }));
        users.push(...page.users.filter(({ counts }) => counts.some(({ count }) => count > 0)));
      }
      return { users };
    },
    exportUser: (userId, cursor) =>
      using(userId, 'reads', (owned) => createUserStore(owned).exportUser(userId, cursor)),
    importUser: (userId, lines) => using(userId, 'writes', (owned) => createUserStore(owned).importUser(userId, lines)),
    forget,
    countWaiting,
  };
}
