import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from './deps.ts';
import { exampleContext } from './examples.ts';

/** Loads the context of a prompt. */
export const loadContext = defineOperation({
  name: 'load_context',
  title: 'Load the context of a prompt',
  description:
    "Returns who the agent is, whom it serves, its tools, the last days' logs, long-term memory and memories for the query, as text within a token budget, newest first; left_out names what did not fit.",
  effect: 'reads',
  scope: 'none',
  ...contract.load_context,
  example: { input: { query: 'frontend', token_budget: 4_000 }, output: exampleContext },
  route: {
    method: 'post',
    path: `${ROOT}/context/load`,
    summary: 'Answers the context of a prompt within a token budget.',
  },
  run: (request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).loadContext(request),
});

/** Loads the context of a prompt from files that are all looked at again. */
export const reloadContext = defineOperation({
  name: 'reload_context',
  title: 'Reload the context',
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
