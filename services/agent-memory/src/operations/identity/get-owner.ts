import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from '../deps.ts';
import { exampleOwner } from '../examples.ts';

/** Reads OWNER.md. */
export const getOwner = defineOperation({
  name: 'get_owner',
  title: 'Get whom the agent serves',
  description: 'Returns OWNER.md as data.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_owner,
  example: { input: {}, output: exampleOwner },
  route: { method: 'get', path: `${ROOT}/identity/owner`, summary: 'Answers whom the agent serves.' },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.owner(),
});
