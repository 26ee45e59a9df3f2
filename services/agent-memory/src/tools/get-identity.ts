import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { identitySchema } from '../domain/answers.ts';
import { type AgentMemoryDeps, reads } from './deps.ts';

/** Get the identity. */
export const getIdentity = defineTool({
  name: 'get_identity',
  title: 'Get the identity',
  description: 'Returns SPIRIT.md, OWNER.md and TOOLS.md as data, and which required fields are empty.',
  input: z.object({}),
  output: identitySchema,
  annotations: reads,
  run: (_request, { memory }: AgentMemoryDeps) => memory.identity.read(),
});
