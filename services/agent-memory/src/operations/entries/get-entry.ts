import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT } from '../deps.ts';
import { exampleEntry } from '../examples.ts';

/** Reads an entry by its id. */
export const getEntry = defineOperation({
  name: 'get_entry',
  title: 'Get a memory',
  description: 'Returns one entry by its id.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_entry,
  example: { input: { id: exampleEntry.id }, output: exampleEntry },
  route: { method: 'get', path: `${ROOT}/entries/:id`, summary: 'Answers one entry.', errors: ['not_found'] },
  run: ({ id, session }, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).get(id, session),
});
