import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import type { AgentMemoryContext } from '../deps.ts';

/** Makes the index again. */
export const rebuildIndex = defineOperation({
  name: 'rebuild_index',
  title: 'Rebuild the index',
  description:
    'Makes the whole index again from the files. Needed only when something outside of this server damaged it.',
  effect: 'runs',
  hints: { isDestructive: true, isIdempotent: true },
  scope: 'none',
  ...contract.rebuild_index,
  example: { input: {}, output: { files: 6, changed: 6, removed: 0, entries: 12 } },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).rebuild(),
});
