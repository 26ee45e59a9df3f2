import { readAddress, toFactAddress, toRelationAddress, toValuePrint } from '../addresses.ts';
import { followDeletion } from '../sources/follow.ts';
import type { MemoryStore, MemoryWriter, UserMemory } from '../store.ts';

async function erase(address: string, writer: MemoryWriter): Promise<void> {
  const named = readAddress(address);
  if (named?.kind === 'fact') {
    await writer.deleteProfile(named.key);
    await writer.deleteHistory(named.key);
    await writer.deleteProfileChanges(named.key);
  } else if (named?.kind === 'event') await writer.deleteEvent(named.id);
  else if (named?.kind === 'entity') {
    for (const { id } of await writer.relations(named.id)) {
      await writer.deleteRelation(id);
      await followDeletion(toRelationAddress(id), writer);
    }
    await writer.unlinkEntity(named.id);
    await writer.deleteEntity(named.id);
  }
  await followDeletion(address, writer);
}

/** Erases what has ended, with what rested on it alone. A receipt of each stays, without words: of a fact a hash of its key. */
async function forgetEnded(memory: UserMemory, now: number): Promise<void> {
  await memory.change(async (writer) => {
    for (const end of await writer.ended(now)) {
      await erase(end.address, writer);
      await writer.putEnd(end.address, undefined);
      const named = readAddress(end.address);
      const address = named?.kind === 'fact' ? toFactAddress(toValuePrint(named.key)) : end.address;
      await writer.addReceipt({ ...end, address }, now);
    }
  });
}

/**
 * A store without what has ended: whoever comes first afterwards erases it. Whether something has is asked while the work reads, which
 * begins again when it was so; nothing is changed before the answer.
 */
export function withoutEnded(store: MemoryStore, clock: () => Date): MemoryStore {
  return {
    ...store,
    use: (userId, work) =>
      store.use(userId, async (memory) => {
        const now = clock().getTime();
        const asked = memory.hasEnded(now);
        const guarded: UserMemory = {
          ...memory,
          change: async (write) => {
            if (await asked) throw new Error('begins again');
            return memory.change(write);
          },
        };
        const [outcome] = await Promise.allSettled([(async () => work(guarded))(), asked]);
        if (!(await asked)) {
          if (outcome.status === 'rejected') throw outcome.reason;
          return outcome.value;
        }
        await forgetEnded(memory, now);
        return work(memory);
      }),
  };
}

/** Erases what has ended of all users, where nobody comes either; answers of how many. */
export async function forgetAllEnded(store: MemoryStore, clock: () => Date): Promise<number> {
  const users = await store.endedUsers(clock().getTime());
  for (const user of users) await store.use(user, () => undefined);
  return users.length;
}
