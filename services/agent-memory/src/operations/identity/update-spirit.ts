import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT, writeErrors } from '../deps.ts';
import { exampleSpirit } from '../examples.ts';

/** Writes fields of SPIRIT.md. */
export const updateSpirit = defineOperation({
  name: 'update_spirit',
  title: 'Write who the agent is',
  description: 'Writes fields of SPIRIT.md; those left out stay.',
  effect: 'replaces',
  scope: 'none',
  ...contract.update_spirit,
  example: { input: { role: 'A personal assistant.' }, output: exampleSpirit },
  route: {
    method: 'put',
    path: `${ROOT}/identity/spirit`,
    summary: 'Writes fields of SPIRIT.md; those left out stay.',
    errors: writeErrors,
  },
  run: (patch, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.writeSpirit(patch),
});
