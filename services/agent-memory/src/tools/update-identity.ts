import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { identitySchema } from '../domain/answers.ts';
import { ownerPatchSchema } from '../domain/identity/owner.ts';
import { spiritPatchSchema } from '../domain/identity/spirit.ts';
import { type AgentMemoryDeps, changes } from './deps.ts';

/** Write who the agent is and whom it serves. */
export const updateIdentity = defineTool({
  name: 'update_identity',
  title: 'Write who the agent is and whom it serves',
  description:
    'Writes fields of SPIRIT.md (spirit) and OWNER.md (owner). A field that is given replaces what its section says; those left out stay.',
  input: z
    .object({ spirit: spiritPatchSchema.optional(), owner: ownerPatchSchema.optional() })
    .refine(({ spirit, owner }) => spirit !== undefined || owner !== undefined, 'must have spirit, owner or both'),
  output: identitySchema,
  annotations: changes,
  run: ({ spirit, owner }, { memory }: AgentMemoryDeps) => memory.identity.write({ spirit, owner }),
});
