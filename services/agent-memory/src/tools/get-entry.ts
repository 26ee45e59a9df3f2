import { defineTool } from '@contextloom/mcp-kit';
import { entrySchema } from '../domain/answers.ts';
import { oneEntrySchema } from '../domain/requests.ts';
import { type AgentMemoryDeps, reads } from './deps.ts';

/** Get a memory. */
export const getEntry = defineTool({
  name: 'get_entry',
  title: 'Get a memory',
  description: 'Returns one entry by its id.',
  input: oneEntrySchema,
  output: entrySchema,
  annotations: reads,
  run: ({ id, session }, { memory }: AgentMemoryDeps) => memory.get(id, session),
});
