import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from '../deps.ts';
import { exampleContext } from '../examples.ts';

/** Loads the context of a prompt from files that are all looked at again. */
export const reloadContext = defineOperation({
  name: 'reload_context',
  title: 'Load the context again',
  description: 'Looks at every file again, then answers as load_context.',
  effect: 'reads',
  scope: 'none',
  ...contract.reload_context,
  example: { input: { query: 'frontend' }, output: exampleContext },
  route: {
    method: 'post',
    path: `${ROOT}/context/reload`,
    summary: 'Looks at every file again, then answers as /context/load.',
  },
  run: async (request, { deps, principal }: AgentMemoryContext) => {
    const memory = deps.memoryFor(principal);
    await memory.sync();
    return memory.loadContext(request);
  },
});
