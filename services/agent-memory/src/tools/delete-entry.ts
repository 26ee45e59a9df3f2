import { defineTool } from '@contextloom/mcp-kit';
import { deletedSchema } from '../domain/answers.ts';
import { oneEntrySchema } from '../domain/requests.ts';
import { type AgentMemoryDeps, changes } from './deps.ts';

/** Delete a memory. */
export const deleteEntry = defineTool({
  name: 'delete_entry',
  title: 'Delete a memory',
  description: 'Removes an entry from its file and from the index.',
  input: oneEntrySchema,
  output: deletedSchema,
  annotations: changes,
  run: ({ id, session }, { memory }: AgentMemoryDeps) => memory.delete(id, session),
});
