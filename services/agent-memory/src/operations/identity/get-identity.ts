import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { identitySchema } from '../../domain/model/answers.ts';
import type { AgentMemoryContext } from '../deps.ts';
import { exampleIdentity } from '../examples.ts';

/** Reads the whole identity. */
export const getIdentity = defineOperation({
  name: 'get_identity',
  title: 'Get the identity',
  description: 'Returns SPIRIT.md, OWNER.md and TOOLS.md as data, and which required fields are empty.',
  effect: 'reads',
  scope: 'none',
  input: z.object({}),
  output: identitySchema,
  example: { input: {}, output: exampleIdentity },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.read(),
});
