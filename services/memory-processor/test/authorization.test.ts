import { silentLog } from '@contextloom/runtime';
import { createApi } from '@contextloom/server-kit';
import { tryAuthorization } from '@contextloom/testing';
import { expect, it } from '@jest/globals';
import { createMemoryProcessorServer } from '../src/build-server.ts';
import { createMemoryProcessor } from '../src/create-memory-processor.ts';
import { operations } from '../src/operations/index.ts';
import { createKeptMemories } from './support/memory-stores.ts';

it('answers every operation as the rights of its caller say', async () => {
  const processor = createMemoryProcessor({ memories: createKeptMemories() });
  const definition = { title: 'n', description: 'n', version: '0', log: silentLog };
  const report = await tryAuthorization({
    name: 'memory-processor',
    operations,
    factory: createMemoryProcessorServer({ processor, version: '0', log: silentLog }),
    api: createApi({ ...definition, routes: [], deps: undefined }),
    own: { user: 'ann', project: 'shop' },
  });
  expect(report.wrong).toEqual([]);
  expect(report.cells).toBeGreaterThan(250);
});
