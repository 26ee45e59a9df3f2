import { silentLog } from '@contextloom/runtime';
import { describeEndpointKeys, mcpEndpoint } from '@contextloom/testing/endpoint-keys.contract';
import { serveKnowledgeBase } from '../support/serve.ts';
import { openTemporary } from '../support/service.ts';

describeEndpointKeys('the knowledge base', () => ({
  ...mcpEndpoint,
  server: 'knowledge-base',
  open: async (access) => {
    const { knowledgeBase, remove } = await openTemporary();
    const endpoint = await serveKnowledgeBase({ knowledgeBase, access, log: silentLog });
    return {
      url: endpoint.url,
      close: async () => {
        await endpoint.close();
        await remove();
      },
    };
  },
}));
