import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT, writeErrors } from '../deps.ts';
import { exampleEntry } from '../examples.ts';

/** Deletes an entry from its file. */
export const deleteEntry = defineOperation({
  name: 'delete_entry',
  title: 'Delete a memory',
  description: 'Removes an entry from its file and from the index.',
  effect: 'deletes',
  scope: 'none',
  ...contract.delete_entry,
  example: { input: { id: exampleEntry.id }, output: { id: exampleEntry.id, deleted: true } },
  route: {
    method: 'delete',
    path: `${ROOT}/entries/:id`,
    summary: 'Removes an entry from its file and from the index.',
    errors: [...writeErrors, 'not_found'],
  },
  run: ({ id, session }, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).delete(id, session),
});
