import { silentLog } from '@contextloom/runtime';
import { tryAuthorization } from '@contextloom/testing';
import { expect, it } from '@jest/globals';
import { createAgentMemoryServer } from '../src/build-server.ts';
import { createMemoryApi } from '../src/http/api.ts';
import { restOperations, operations as tools } from '../src/operations/index.ts';
import { createFolder, openTestMemory } from './support/memory.ts';
import { saveSeed } from './support/seed.ts';

it('answers every operation as the rights of its caller say, for the one user whose workspace it is', async () => {
  const folder = createFolder();
  saveSeed(folder.save);
  const { memory, changes } = await openTestMemory(folder);
  const options = { memory, userId: 'ann', version: '0', log: silentLog };
  const report = await tryAuthorization({
    name: 'agent-memory',
    operations: [...tools, ...restOperations],
    tools,
    factory: createAgentMemoryServer({ ...options, changes, isShared: false }),
    api: createMemoryApi(options),
    own: { user: 'ann', project: 'shop' },
    serves: 'user',
  });
  await memory.close();
  folder.remove();
  expect(report.wrong).toEqual([]);
  expect(report.cells).toBeGreaterThan(500);
});
