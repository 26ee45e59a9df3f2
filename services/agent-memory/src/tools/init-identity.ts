import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { initSchema } from '../domain/answers.ts';
import { type AgentMemoryDeps, adds } from './deps.ts';

/** Make the files. */
export const initIdentity = defineTool({
  name: 'init_identity',
  title: 'Make the files',
  description:
    'Makes SPIRIT.md, OWNER.md, TOOLS.md and MEMORY.md with empty sections where they are missing; never overwrites one.',
  input: z.object({}),
  output: initSchema,
  annotations: adds,
  run: (_request, { memory }: AgentMemoryDeps) => memory.identity.init(),
});
