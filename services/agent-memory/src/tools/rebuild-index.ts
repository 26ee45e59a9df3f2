import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { rebuiltSchema } from '../domain/answers.ts';
import { type AgentMemoryDeps, changes } from './deps.ts';

/** Rebuild the index. */
export const rebuildIndex = defineTool({
  name: 'rebuild_index',
  title: 'Rebuild the index',
  description:
    'Makes the whole index again from the files. Needed only when something outside of this server damaged it.',
  input: z.object({}),
  output: rebuiltSchema,
  annotations: changes,
  run: (_request, { memory }: AgentMemoryDeps) => memory.rebuild(),
});
