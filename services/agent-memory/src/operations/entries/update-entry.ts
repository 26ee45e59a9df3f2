import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT, writeErrors } from '../deps.ts';
import { exampleEntry } from '../examples.ts';

/** Changes an entry in its file. */
export const updateEntry = defineOperation({
  name: 'update_entry',
  title: 'Change a memory',
  description:
    'Replaces the text, type or metadata of an entry in its file; everything else there stays as it is. Returns the entry.',
  effect: 'replaces',
  scope: 'none',
  ...contract.update_entry,
  example: { input: { id: exampleEntry.id, content: exampleEntry.content }, output: exampleEntry },
  route: {
    method: 'patch',
    path: `${ROOT}/entries/:id`,
    summary: 'Replaces the text, type or metadata of an entry.',
    errors: [...writeErrors, 'not_found'],
  },
  run: ({ id, ...request }, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).update(id, request),
});
