import { defineForgetUser } from '@contextloom/server-kit';
import type { AgentMemoryDeps } from '../deps.ts';

/** Forgets the user whose workspace it is. */
export const forgetUser = defineForgetUser<AgentMemoryDeps>({
  scope: 'none',
  erases: 'OWNER.md, MEMORY.md, all logs and archives',
  forget: async ({ userId, isDryRun }, { deps: { memoryFor, forget }, principal }) => {
    memoryFor(principal);
    return forget(userId, isDryRun);
  },
});
