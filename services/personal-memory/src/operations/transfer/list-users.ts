import { defineListUsers } from '@contextloom/mcp-kit';
import type { PersonalMemoryDeps } from '../deps.ts';

/** Lists the users who have a memory. */
export const listUsersOperation = defineListUsers<PersonalMemoryDeps>({
  list: async ({ after = '', limit }, { deps: { store, onlyUser } }) => {
    const known = (await store.users()).filter((user) => user > after && (onlyUser ?? user) === user).slice(0, limit);
    const users: { readonly user_id: string; readonly counts: Awaited<ReturnType<typeof store.count>> }[] = [];
    for (const user_id of known) users.push({ user_id, counts: await store.count(user_id) });
    return { users, bytes: store.sizeOf() };
  },
});
