import { randomUUID } from 'node:crypto';
import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { silentLog } from '@contextloom/runtime';
import { describeKnowledgeBase } from './knowledge-base.contract.ts';
import { openTemporary, startService } from './support/service.ts';

describeKnowledgeBase('in this process', () => openTemporary());

describeKnowledgeBase('over HTTP', async () => {
  const { url, remove } = await startService();
  return { knowledgeBase: createHttpKnowledgeBase({ url, newId: randomUUID, log: silentLog }), remove };
});
