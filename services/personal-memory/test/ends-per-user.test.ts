import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { listUserFiles } from '../src/store/per-user-store.ts';
import { describeEnds } from './ends.contract.ts';
import { connect, createClock, makeFolder, openStore, removeFolder } from './support/memory.ts';

describeEnds((folder) => openStore(folder, 'per-user'));

it('leaves the file of a user closed until its next end comes, or it is written', async () => {
  const folder = makeFolder();
  const first = openStore(folder, 'per-user');
  const clock = createClock();
  const end = '2025-10-29T12:00:00.000Z';
  for (const userId of ['ann', 'bob', 'cat', 'dan']) {
    const client = await connect(first, { userId, clock });
    await client.ask('add_event', { event_type: 'other', description: 'Zanzibar', expires_at: end });
    await client.close();
  }
  await first.close();
  // To the millisecond, as a test can set it again.
  const written = new Date(1_000);
  const files = listUserFiles(join(folder, 'users'));
  for (const file of files) utimesSync(file, written, written);
  const store = openStore(folder, 'per-user');
  const at = (time: string) => store.endedUsers(Date.parse(time));
  expect(await at('2025-10-28T12:00:00Z')).toEqual([]);
  expect(await at('2025-10-28T12:10:00Z')).toEqual([]);
  // Whoever opens one of these now, fails.
  const closed = files.filter((file) => !existsSync(`${file}-wal`));
  expect(closed).toHaveLength(2);
  for (const file of closed) {
    writeFileSync(file, 'x'.repeat(statSync(file).size));
    utimesSync(file, written, written);
  }
  expect(await at('2025-10-28T12:20:00Z')).toEqual([]);
  await expect(at(end)).rejects.toThrow('damaged');
  for (const file of closed) utimesSync(file, new Date(), new Date(0));
  await expect(at('2025-10-28T12:30:00Z')).rejects.toThrow('damaged');
  await store.close();
  removeFolder(folder);
});
