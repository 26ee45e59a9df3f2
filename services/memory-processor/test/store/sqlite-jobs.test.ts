import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findBytes } from '@contextloom/testing/find-bytes';
import { expect, it } from '@jest/globals';
import { sqliteJobTables } from '../../src/store/jobs/job-tables.ts';
import { createSqlJobQueue } from '../../src/store/jobs/sql-job-queue.ts';
import { openSqliteDatabase } from '../../src/store/sql/sqlite-database.ts';
import { createFolder } from '../support/knowledge-base.ts';
import { describeJobQueue } from './job-queue.contract.ts';

const openQueue = (folder: string) => createSqlJobQueue(openSqliteDatabase(join(folder, 'jobs.db'), sqliteJobTables));

describeJobQueue('SQLite', async () => {
  const { path, remove } = await createFolder();
  return { open: async () => openQueue(join(path, 'data')), remove };
});

it('keeps jobs where their owner alone can read them, and leaves no word of those that are forgotten', async () => {
  const { path, remove } = await createFolder();
  const folder = join(path, 'data');
  const queue = openQueue(folder);
  const payload = { text: `The vault opens with zinnia-orchard. ${'x'.repeat(20_000)}` };
  await queue.add({ id: randomUUID(), userId: 'ann', kind: 'store', payload });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  for (const file of await readdir(folder)) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect(findBytes(folder, ['zinnia-orchard'])).not.toEqual([]);
  await queue.forget('ann', false);
  expect(findBytes(folder, ['zinnia-orchard'])).toEqual([]);
  await queue.close();
  await remove();
});
