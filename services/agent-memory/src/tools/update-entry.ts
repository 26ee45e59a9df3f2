import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { entrySchema, idField, updateFields } from '../wire.ts';
import { type AgentMemoryDeps, changes } from './deps.ts';

/** Change a memory. */
export const updateEntry = defineTool({
  name: 'update_entry',
  title: 'Change a memory',
  description:
    'Replaces the text, type or metadata of an entry in its file; everything else there stays as it is. Returns the entry.',
  input: z.object({ ...idField, ...updateFields }),
  output: entrySchema,
  annotations: changes,
  run: ({ id, ...request }, { answers }: AgentMemoryDeps) => answers.update(id, request),
});
