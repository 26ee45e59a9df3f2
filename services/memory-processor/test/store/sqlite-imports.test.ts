import { randomUUID } from 'node:crypto';
import { silentLog } from '@contextloom/runtime';
import { findBytes } from '@contextloom/testing/find-bytes';
import { expect, it } from '@jest/globals';
import { openDatabases } from '../../src/open-databases.ts';
import { createFolder } from '../support/knowledge-base.ts';
import { describeImportRecords } from './import-records.contract.ts';

const open = (dataDir: string) =>
  openDatabases({
    config: { dataDir, databaseUrl: undefined, jobLeaseSeconds: 60 },
    clock: () => new Date('2026-03-02T09:30:00Z'),
    newId: randomUUID,
    log: silentLog,
  });

describeImportRecords('SQLite', async () => {
  const { path, remove } = await createFolder();
  return { open: () => open(path), remove };
});

it('leaves no word of a user who is forgotten', async () => {
  const { path, remove } = await createFolder();
  const databases = open(path);
  expect(databases.hasImports()).toBe(false);
  const { journal } = await databases.openImports();
  await journal.begin({ id: 'a1', userId: 'ann-7f3a91', sources: ['ann-chats.zip'] });
  await journal.settle('a1', { key: '1', title: 'Walks in Zanzibar', part: 1 }, { state: 'nothing' });
  const words = ['ann-7f3a91', 'Walks in Zanzibar', 'ann-chats.zip'];
  expect(findBytes(path, words)).not.toEqual([]);
  await journal.forget('ann-7f3a91', false);
  expect(findBytes(path, words)).toEqual([]);
  await databases.close();
  await remove();
});
