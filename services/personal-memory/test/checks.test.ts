import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkMemory } from '../src/checks.ts';
import { restore } from '../src/jobs.ts';
import { toPlace } from '../src/open-personal-memory.ts';
import { storeEvent, toEvent } from './store/store.contract.ts';
import { makeFolder, openStore, removeFolder } from './support/memory.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

const where = (file: string) => ({ dbPath: join(folder, file), dataDir: folder, backupDir: undefined });

describe('the checks of a memory with a file for each user', () => {
  const check = () =>
    checkMemory(
      {
        ...where('memory.db'),
        storage: 'per-user',
        autoBackup: true,
        encryptionKey: undefined,
        engine: undefined,
        databaseUrl: undefined,
        embeddingProvider: 'lexical',
        embeddingModel: undefined,
        embeddingBaseUrl: undefined,
        embeddingApiKey: undefined,
        embeddingDimensions: undefined,
      },
      silentLog,
    );

  it('try out every one of them', async () => {
    const store = openStore(folder, 'per-user');
    await storeEvent(store, 'ann', toEvent('a walk'));
    await storeEvent(store, 'bob', toEvent('a talk'));
    await store.backUp({ folder: join(folder, 'backups'), now: new Date(), minAgeMs: 0, keep: 9 });
    await store.close();
    expect(await check()).toMatchObject([
      { name: 'memory', status: 'ok', detail: expect.stringContaining('2 users') },
      { name: 'embeddings', status: 'off', detail: 'lexical, needs no model' },
      { name: 'integrity', status: 'ok', detail: 'no page of 2 files is damaged' },
      { name: 'backups', status: 'ok', detail: expect.stringMatching(/^2 of 2 files, such as .*user-/) },
    ]);
    const [first] = readdirSync(join(folder, 'users')).filter((name) => name.endsWith('.db'));
    writeFileSync(join(folder, 'users', String(first)), 'I am no database, though I am long enough. '.repeat(30));
    expect(await check()).toMatchObject([
      { status: 'failed' },
      { status: 'off' },
      { status: 'failed', detail: expect.stringContaining(`${first} is damaged`) },
      {},
    ]);
  });
});

describe('restoring', () => {
  it('puts the backup of a shared database back where it was, whatever its name', async () => {
    await openStore(folder).close();
    const place = toPlace(where('user-data.db'));
    const backup = join(folder, 'user-data-2025-10-28T12-00-00.000Z.db');
    for (const copy of [place.file, backup]) copyFileSync(join(folder, 'memory.db'), copy);
    const restored = await restore(backup, { ...place, cipherKey: undefined }, new Date());
    expect(restored).toMatchObject({ restored: place.file });
  });
});
