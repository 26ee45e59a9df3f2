import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from '../deps.ts';
import { exampleTool } from '../examples.ts';

/** Lists the tools of TOOLS.md. */
export const listTools = defineOperation({
  name: 'list_tools',
  title: 'List the tools of TOOLS.md',
  description: 'Lists the tools of TOOLS.md, those that are off too.',
  effect: 'reads',
  scope: 'none',
  ...contract.list_tools,
  example: { input: {}, output: { items: [exampleTool], total: 1 } },
  route: {
    method: 'get',
    path: `${ROOT}/identity/tools`,
    summary: 'Lists the tools of TOOLS.md, those that are off too.',
  },
  run: async (_request, { deps, principal }: AgentMemoryContext) => {
    const items = await deps.memoryFor(principal).identity.tools();
    return { items, total: items.length };
  },
});
