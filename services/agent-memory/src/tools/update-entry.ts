import { defineTool } from '@contextloom/mcp-kit';
import { entrySchema } from '../domain/answers.ts';
import { oneEntrySchema, updateSchema } from '../domain/requests.ts';
import { type AgentMemoryDeps, changes } from './deps.ts';

/** Change a memory. */
export const updateEntry = defineTool({
  name: 'update_entry',
  title: 'Change a memory',
  description:
    'Replaces the text, type or metadata of an entry in its file; everything else there stays as it is. Returns the entry.',
  input: oneEntrySchema.extend(updateSchema.shape),
  output: entrySchema,
  annotations: changes,
  run: ({ id, ...request }, { memory }: AgentMemoryDeps) => memory.update(id, request),
});
