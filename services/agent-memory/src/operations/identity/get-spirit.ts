import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from '../deps.ts';
import { exampleSpirit } from '../examples.ts';

/** Reads SPIRIT.md. */
export const getSpirit = defineOperation({
  name: 'get_spirit',
  title: 'Get who the agent is',
  description: 'Returns SPIRIT.md as data.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_spirit,
  example: { input: {}, output: exampleSpirit },
  route: { method: 'get', path: `${ROOT}/identity/spirit`, summary: 'Answers who the agent is.' },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.spirit(),
});
