import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { entrySchema, idField, sessionField } from '../wire.ts';
import { type AgentMemoryDeps, reads } from './deps.ts';

/** Get a memory. */
export const getEntry = defineTool({
  name: 'get_entry',
  title: 'Get a memory',
  description: 'Returns one entry by its id.',
  input: z.object({ ...idField, ...sessionField }),
  output: entrySchema,
  annotations: reads,
  run: ({ id, session }, { answers }: AgentMemoryDeps) => answers.get(id, session),
});
