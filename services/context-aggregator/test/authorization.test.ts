import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { createApi } from '@contextloom/server-kit';
import { tryAuthorization } from '@contextloom/testing';
import { expect, it } from '@jest/globals';
import { createAggregatorServer } from '../src/build-server.ts';
import { operations } from '../src/operations/index.ts';

it('answers every operation as the rights of its caller say, before it asks any server', async () => {
  const definition = { title: 'n', description: 'n', version: '0', log: silentLog };
  // Without servers an allowed call ends at once: what a server behind it may answer is tried out there.
  const upstreams = createUpstreams({ servers: {}, log: silentLog, clientName: 'test', clientVersion: '0' });
  const deadlines = { sourceMs: 5_000, storeMs: 5_000 };
  const report = await tryAuthorization({
    name: 'context-aggregator',
    operations,
    factory: createAggregatorServer({ upstreams, toSettings: () => ({ deadlines }), version: '0', log: silentLog }),
    api: createApi({ ...definition, routes: [], deps: undefined }),
    own: { user: 'ann', project: 'shop' },
  });
  expect(report.wrong).toEqual([]);
  expect(report.cells).toBeGreaterThan(500);
});
