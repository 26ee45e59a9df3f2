import { defineListUsers } from '@contextloom/server-kit';
import type { PersonalMemoryDeps } from '../deps.ts';

/** What a server for one user says of the memories of others in its store, which a backup would leave out. */
function toUnreached(count: number) {
  if (count === 0) return {};
  const what = count === 1 ? 'the memory of 1 other user' : `the memories of ${count} other users`;
  return { unreached: [{ what, why: 'it serves one user only: start it with --multi-user' }] };
}

/** Lists the users who have a memory. */
export const listUsersOperation = defineListUsers<PersonalMemoryDeps>({
  list: async ({ after = '', limit }, { deps: { store, onlyUser } }) => {
    const all = await store.users();
    const served = all.filter((user) => (onlyUser ?? user) === user);
    const known = served.filter((user) => user > after).slice(0, limit);
    const users: { readonly user_id: string; readonly counts: Awaited<ReturnType<typeof store.count>> }[] = [];
    for (const user_id of known) users.push({ user_id, counts: await store.count(user_id) });
    return { users, bytes: store.sizeOf(), ...toUnreached(all.length - served.length) };
  },
});
