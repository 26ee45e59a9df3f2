import { silentLog } from '@contextloom/runtime';
import { createApi } from '@contextloom/server-kit';
import { tryAuthorization } from '@contextloom/testing';
import { expect, it } from '@jest/globals';
import { operations } from '../src/operations/index.ts';
import { createServer, makeFolder, openStore, removeFolder } from './support/memory.ts';

it('answers every operation as the rights of its caller say', async () => {
  const folder = makeFolder();
  const store = openStore(folder);
  const factory = createServer(store, { userId: undefined });
  const definition = { title: 'n', description: 'n', version: '0', log: silentLog };
  const api = createApi({ ...definition, routes: [], deps: undefined });
  const own = { user: 'ann', project: 'shop' };
  const report = await tryAuthorization({ name: 'personal-memory', operations, factory, api, own });
  await store.close();
  removeFolder(folder);
  expect(report.wrong).toEqual([]);
  expect(report.cells).toBeGreaterThan(500);
});
