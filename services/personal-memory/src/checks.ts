import { existsSync } from 'node:fs';
import { type Check, type Log, runCheck } from '@contextloom/mcp-kit';
import { findDamage, openReadOnly } from '@contextloom/sqlite';
import { openMemory, type StoreChoice, toPlace } from './open-memory.ts';
import { listCopies } from './store/backups.ts';
import { toWayOut } from './store/damage.ts';

/** Looking through a file of gigabytes takes a while. */
const DAMAGE_TIMEOUT_MS = 120_000;

/** Tries out the memory's files: whether they can be used, are whole, and are backed up. */
export async function checkMemory(
  choice: StoreChoice & { readonly autoBackup: boolean },
  log: Log,
): Promise<readonly Check[]> {
  const place = toPlace(choice);
  return [
    await runCheck(
      'memory',
      async () => {
        const { store } = await openMemory(choice, { log });
        const users = await store.users();
        await store.close();
        const where = choice.storage === 'shared' ? place.file : place.usersFolder;
        return { status: 'ok', detail: `${where}, ${users.length} user${users.length === 1 ? '' : 's'}` };
      },
      { log },
    ),
    await runCheck(
      'integrity',
      async () => {
        if (!existsSync(place.file)) return { status: 'off', detail: 'there is no shared database yet' };
        const database = openReadOnly(place.file, { cipherKey: choice.encryptionKey });
        const damage = findDamage(database);
        database.close();
        if (damage === undefined) return { status: 'ok', detail: 'no page is damaged' };
        return { status: 'failed', detail: `${place.file} is damaged; ${toWayOut(place)}` };
      },
      { log, timeoutMs: DAMAGE_TIMEOUT_MS },
    ),
    await runCheck(
      'backups',
      async () => {
        if (!choice.autoBackup) return { status: 'off', detail: 'AUTO_BACKUP is false' };
        const newest = listCopies(place.file, place.backupFolder).at(-1);
        return {
          status: 'ok',
          detail: newest === undefined ? `in ${place.backupFolder}, none yet` : `newest: ${newest}`,
        };
      },
      { log },
    ),
  ];
}
