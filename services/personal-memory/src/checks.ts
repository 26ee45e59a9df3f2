import { existsSync } from 'node:fs';
import { describeWaiting } from '@contextloom/contracts';
import { openEmbedder, tryEmbedder } from '@contextloom/llm';
import { EXACT_COMPARISON, toDatabaseName } from '@contextloom/postgres';
import type { Log } from '@contextloom/runtime';
import { type Check, runCheck } from '@contextloom/server-kit';
import { findDamage, openReadOnly } from '@contextloom/sqlite';
import {
  type MemoryPlace,
  openPersonalMemory,
  type StoreChoice,
  toDatabaseUrl,
  toPlace,
} from './open-personal-memory.ts';
import { listCopies } from './store/backups.ts';
import { toWayOut } from './store/damage.ts';
import { listUserFiles } from './store/per-user-store.ts';

/** Checking a file of gigabytes takes a while. */
const DAMAGE_TIMEOUT_MS = 120_000;

function count(things: readonly unknown[], name: string): string {
  return `${things.length} ${name}${things.length === 1 ? '' : 's'}`;
}

function listFiles(storage: StoreChoice['storage'], { file, usersFolder }: MemoryPlace): readonly string[] {
  if (storage === 'per-user') return listUserFiles(usersFolder);
  return existsSync(file) ? [file] : [];
}

function isDamaged(file: string, cipherKey: string | undefined): boolean {
  const database = openReadOnly(file, { cipherKey });
  try {
    return findDamage(database) !== undefined;
  } finally {
    database.close();
  }
}

/** What a database server sees to is nothing that this program could check. */
const OF_SERVER = 'Postgres sees to it, and whoever runs it';

/** Checks that the memory's files can be opened, are intact and are backed up. */
export async function checkMemory(
  choice: StoreChoice & { readonly autoBackup: boolean },
  log: Log,
): Promise<readonly Check[]> {
  const place = toPlace(choice);
  return [
    await runCheck(
      'memory',
      async () => {
        const { store } = await openPersonalMemory(choice, { log });
        const [users, waiting] = await Promise.all([store.users(), store.countWaiting()]).finally(() => store.close());
        const file = choice.storage === 'shared' ? place.file : place.usersFolder;
        const url = toDatabaseUrl(choice);
        const where = url === undefined ? file : toDatabaseName(url);
        const how = url === undefined ? '' : `; ${EXACT_COMPARISON}`;
        const later = waiting === 0 ? '' : `; ${describeWaiting(waiting)}`;
        return { status: 'ok', detail: `${where}, ${count(users, 'user')}${how}${later}` };
      },
      { log },
    ),
    await runCheck('embeddings', async (signal) => tryEmbedder(await openEmbedder(choice), signal), { log }),
    await runCheck(
      'integrity',
      async () => {
        if (toDatabaseUrl(choice) !== undefined) return { status: 'off', detail: OF_SERVER };
        const files = listFiles(choice.storage, place);
        const damaged = files.find((file) => isDamaged(file, choice.encryptionKey));
        if (damaged === undefined) return { status: 'ok', detail: `no page of ${count(files, 'file')} is damaged` };
        return { status: 'failed', detail: `${damaged} is damaged; ${toWayOut({ ...place, file: damaged })}` };
      },
      { log, timeoutMs: DAMAGE_TIMEOUT_MS },
    ),
    await runCheck(
      'backups',
      async () => {
        if (toDatabaseUrl(choice) !== undefined) return { status: 'off', detail: OF_SERVER };
        if (!choice.autoBackup) return { status: 'off', detail: 'AUTO_BACKUP is false' };
        const files = listFiles(choice.storage, place);
        const newest = files.flatMap((file) => listCopies(file, place.backupFolder).at(-1) ?? []);
        const detail =
          newest.length === 0
            ? `in ${place.backupFolder}, none yet`
            : `${newest.length} of ${count(files, 'file')}, such as ${newest[0]}`;
        return { status: 'ok', detail };
      },
      { log },
    ),
  ];
}
