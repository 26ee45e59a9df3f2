import { localPrincipal, type Principal } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { connectOverFetch } from '@contextloom/testing';
import { expect, it } from '@jest/globals';
import { createKnowledgeBaseServer } from '../src/build-server.ts';
import { toOpenToAll } from '../src/config.ts';
import { operations } from '../src/operations/index.ts';
import { openTemporary } from './support/service.ts';

it('a store without isolation serves nothing to a caller of some users, and everything to one of all', async () => {
  const { knowledgeBase, remove } = await openTemporary('off');
  const openToAll = toOpenToAll({ isolation: 'off' });
  const factory = createKnowledgeBaseServer({ knowledgeBase, openToAll, version: '0', log: silentLog });
  await knowledgeBase.add([{ doc_id: 'tea', content: 'Bob drinks tea.', tags: [], metadata: { user_id: 'bob' } }]);
  const ann: Principal = { ...localPrincipal, name: 'ann', users: ['ann'] };
  const limited = await connectOverFetch(factory, '2025-11-25', ann);
  for (const { name, example } of operations) {
    const code = await limited.codeOf(name, example?.input as Record<string, unknown>);
    expect([name, code]).toEqual([name, 'forbidden']);
  }
  const all = await connectOverFetch(factory, '2025-11-25');
  expect((await all.callTool('get_document', { doc_id: 'tea' })).text).toContain('Bob drinks tea.');
  await Promise.all([limited.close(), all.close()]);
  await remove();
});
