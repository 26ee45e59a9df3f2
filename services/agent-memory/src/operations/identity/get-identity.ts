import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import type { AgentMemoryContext } from '../deps.ts';
import { exampleIdentity } from '../examples.ts';

/** Reads the whole identity. */
export const getIdentity = defineOperation({
  name: 'get_identity',
  title: 'Get the identity',
  description: 'Returns SPIRIT.md, OWNER.md and TOOLS.md as data, and which required fields are empty.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_identity,
  example: { input: {}, output: exampleIdentity },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.read(),
});
