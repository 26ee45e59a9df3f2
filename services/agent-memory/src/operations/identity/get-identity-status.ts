import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from '../deps.ts';
import { exampleStatus } from '../examples.ts';

/** Tells whether the files say what they have to. */
export const getIdentityStatus = defineOperation({
  name: 'get_identity_status',
  title: 'Get the status of the identity',
  description: 'Tells which files there are, and which required fields are empty.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_identity_status,
  example: { input: {}, output: exampleStatus },
  route: {
    method: 'get',
    path: `${ROOT}/identity/status`,
    summary: 'Tells which files there are, and which required fields are empty.',
  },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.status(),
});
