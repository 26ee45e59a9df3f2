import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findBytes } from '@contextloom/testing/find-bytes';
import { expect, it } from '@jest/globals';
import { JOBS_FILE, openSqliteJobs } from '../../src/store/jobs/sqlite-jobs.ts';
import { createFolder } from '../support/knowledge-base.ts';
import { describeJobQueue } from './job-queue.contract.ts';

describeJobQueue('SQLite', async () => {
  const { path, remove } = await createFolder();
  return { open: async () => openSqliteJobs(join(path, 'data', JOBS_FILE)), remove };
});

it('keeps jobs where their owner alone can read them, and leaves no word of those that are forgotten', async () => {
  const { path, remove } = await createFolder();
  const folder = join(path, 'data');
  const queue = openSqliteJobs(join(folder, JOBS_FILE));
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
