import { silentLog } from '@contextloom/runtime';
import { describeDoorKeys, mcpDoor } from '@contextloom/testing/door-keys.contract';
import { serveKnowledgeBase } from '../support/serve.ts';
import { openTemporary } from '../support/service.ts';

describeDoorKeys('the knowledge base', () => ({
  ...mcpDoor,
  server: 'knowledge-base',
  open: async (access) => {
    const { knowledgeBase, remove } = await openTemporary();
    const door = await serveKnowledgeBase({ knowledgeBase, access, log: silentLog });
    return {
      url: door.url,
      close: async () => {
        await door.close();
        await remove();
      },
    };
  },
}));
