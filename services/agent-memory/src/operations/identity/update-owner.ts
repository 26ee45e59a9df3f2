import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT, writeErrors } from '../deps.ts';
import { exampleOwner } from '../examples.ts';

/** Writes fields of OWNER.md. */
export const updateOwner = defineOperation({
  name: 'update_owner',
  title: 'Write whom the agent serves',
  description: 'Writes fields of OWNER.md; those left out stay.',
  effect: 'replaces',
  scope: 'none',
  ...contract.update_owner,
  example: { input: { name: 'Ann', age: 32 }, output: exampleOwner },
  route: {
    method: 'put',
    path: `${ROOT}/identity/owner`,
    summary: 'Writes fields of OWNER.md; those left out stay.',
    errors: writeErrors,
  },
  run: (patch, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.writeOwner(patch),
});
