import { randomUUID } from 'node:crypto';
import { silentLog } from '@contextloom/mcp-kit';
import { createHttpKnowledgeBase } from '../src/client/http-knowledge-base.ts';
import { describeKnowledgeBase } from './knowledge-base.contract.ts';
import { openTemporary, startService } from './support/service.ts';

describeKnowledgeBase('in this process', () => openTemporary());

describeKnowledgeBase('over HTTP', async () => {
  const { url, remove } = await startService();
  return { knowledgeBase: createHttpKnowledgeBase({ url, newId: randomUUID, log: silentLog }), remove };
});
