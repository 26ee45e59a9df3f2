import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { deletedSchema, idField, sessionField } from '../wire.ts';
import { type AgentMemoryDeps, changes } from './deps.ts';

/** Delete a memory. */
export const deleteEntry = defineTool({
  name: 'delete_entry',
  title: 'Delete a memory',
  description: 'Removes an entry from its file and from the index.',
  input: z.object({ ...idField, ...sessionField }),
  output: deletedSchema,
  annotations: changes,
  run: ({ id, session }, { answers }: AgentMemoryDeps) => answers.delete(id, session),
});
