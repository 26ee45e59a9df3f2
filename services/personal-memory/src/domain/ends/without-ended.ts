import { readAddress, toFactAddress, toRelationAddress, toValuePrint } from '../addresses.ts';
import { followDeletion } from '../sources/follow.ts';
import type { MemoryReader, MemoryStore, MemoryWriter, UserMemory } from '../store.ts';

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
 * A store without what has ended: whoever comes first afterwards erases it. Whether something has is asked once the work has read, since
 * a store may know it by then; the work begins again when it was so, and nothing is changed before the answer.
 */
export function withoutEnded(store: MemoryStore, clock: () => Date): MemoryStore {
  return {
    ...store,
    use: (userId, work) =>
      store.use(userId, async (memory) => {
        const now = clock().getTime();
        let known: boolean | undefined;
        // Of what changes, before it does: a change is never made twice.
        const hasEnded = async (reader: Pick<MemoryReader, 'hasEnded'>): Promise<boolean> => {
          known ??= await reader.hasEnded(now);
          return known;
        };
        const guarded: UserMemory = {
          ...memory,
          change: (write) =>
            memory.change(async (writer) => {
              if (await hasEnded(writer)) throw new Error('begins again');
              return write(writer);
            }),
        };
        const [outcome] = await Promise.allSettled([(async () => work(guarded))()]);
        if (!(await hasEnded(memory))) {
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
