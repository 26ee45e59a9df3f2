import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT, writeErrors } from '../deps.ts';
import { exampleTool } from '../examples.ts';

/** Turns a tool of TOOLS.md on or off. */
export const setToolEnabled = defineOperation({
  name: 'set_tool_enabled',
  title: 'Turn a tool on or off',
  description: 'Turns a tool of TOOLS.md on or off; load_context names those alone that are on.',
  effect: 'replaces',
  scope: 'none',
  ...contract.set_tool_enabled,
  example: { input: { name: 'read_file', enabled: true }, output: exampleTool },
  route: {
    method: 'patch',
    path: `${ROOT}/identity/tools/:name`,
    summary: 'Turns a tool of TOOLS.md on or off.',
    errors: [...writeErrors, 'not_found'],
  },
  run: ({ name, enabled }, { deps, principal }: AgentMemoryContext) =>
    deps.memoryFor(principal).identity.setTool(name, enabled),
});
