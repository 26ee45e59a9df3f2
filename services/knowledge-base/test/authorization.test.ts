import { silentLog } from '@contextloom/runtime';
import { createApi } from '@contextloom/server-kit';
import { tryAuthorization } from '@contextloom/testing';
import { expect, it } from '@jest/globals';
import { createKnowledgeBaseServer, routes } from '../src/build-server.ts';
import { operations } from '../src/operations/index.ts';
import { openTemporary } from './support/service.ts';

it('answers every operation as the rights of its caller say, over MCP and REST', async () => {
  const { knowledgeBase, remove } = await openTemporary();
  const definition = { title: 'n', description: 'n', version: '0', log: silentLog };
  const api = createApi({ ...definition, routes, deps: { knowledgeBase } });
  const factory = createKnowledgeBaseServer({ knowledgeBase, version: '0', log: silentLog });
  const own = { user: 'ann', project: 'shop' };
  const report = await tryAuthorization({ name: 'knowledge-base', operations, factory, api, own });
  await remove();
  expect(report.wrong).toEqual([]);
  expect(report.cells).toBeGreaterThan(300);
});
