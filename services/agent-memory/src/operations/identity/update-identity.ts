import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import type { AgentMemoryContext } from '../deps.ts';
import { exampleIdentity } from '../examples.ts';

/** Writes who the agent is and whom it serves. */
export const updateIdentity = defineOperation({
  name: 'update_identity',
  title: 'Write who the agent is and whom it serves',
  description:
    'Writes fields of SPIRIT.md (spirit) and OWNER.md (owner). A field that is given replaces what its section says; those left out stay.',
  effect: 'replaces',
  scope: 'none',
  ...contract.update_identity,
  example: { input: { owner: { name: 'Ann', age: 32 } }, output: exampleIdentity },
  run: ({ spirit, owner }, { deps, principal }: AgentMemoryContext) =>
    deps.memoryFor(principal).identity.write({ spirit, owner }),
});
